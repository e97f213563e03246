import DriveImporting
import CAudioTags
import Glibc
import DriveTypes

/// Audio of all kinds that TagLib knows: its length, rates and tags.
struct AudioImporter: Importer {
    let types = ["public.audio"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        // Notes, no sound.
        if type.tree.contains("public.midi-audio") { return ImportedMetadata() }
        return try Self.read(file)
    }

    static func read(_ file: ImportFile) throws(ImportFailure) -> ImportedMetadata {
        var properties = dd_audio_properties()
        let tags = AudioTags()
        let result = dd_audio_read(
            file.descriptor, &properties, collect, Unmanaged.passUnretained(tags).toOpaque())
        switch result {
        case 0: break
        case -ENOMEM: throw ImportFailure(.memory, "its tags need more memory than a file may use")
        default: throw ImportFailure(.malformed, "it is no audio file that can be read, whatever its name says")
        }
        var metadata = tags.metadata
        if properties.milliseconds > 0 { metadata.set(.duration, Double(properties.milliseconds) / 1000) }
        if properties.bit_rate > 0 {
            metadata.set(.audioBitRate, Int64(properties.bit_rate) * 1000)
            metadata.set(.totalBitRate, Int64(properties.bit_rate) * 1000)
        }
        if properties.sample_rate > 0 { metadata.set(.audioSampleRate, properties.sample_rate) }
        if properties.channels > 0 { metadata.set(.audioChannelCount, properties.channels) }
        return metadata
    }
}

/// Takes tags by the names that TagLib gives to those of all formats.
private final class AudioTags {
    var metadata = ImportedMetadata()

    func take(_ key: String, _ value: String) {
        switch key {
        case "TITLE": metadata.set(.title, value)
        case "ARTIST", "ALBUMARTIST": metadata.add(.authors, value)
        case "PERFORMER": metadata.add(.performers, value)
        case "ALBUM": metadata.set(.album, value)
        case "COMPOSER": metadata.set(.composer, value)
        case "GENRE": metadata.set(.genre, value)
        case "COMMENT": metadata.set(.comment, value)
        case "COPYRIGHT": metadata.set(.copyright, value)
        case "TRACKNUMBER": metadata.set(.audioTrackNumber, Int64(value.prefix { $0.isNumber }))
        case "BPM": metadata.set(.tempo, Double(value))
        case "DATE":
            metadata.set(.recordingYear, Int64(value.prefix(4)))
            metadata.set(.recordingDate, DateText.parse(value))
        default: break
        }
    }
}

private let collect: dd_audio_tag = { context, key, value in
    guard let context, let key, let value else { return }
    Unmanaged<AudioTags>.fromOpaque(context).takeUnretainedValue().take(String(cString: key), String(cString: value))
}
