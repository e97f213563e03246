import DriveImporting
import DriveTypes

/// PDF, with `pdfinfo` and `pdftotext` of poppler-utils: Poppler is under the GPL, so it is run and not linked.
struct PDFImporter: Importer {
    let types = ["com.adobe.pdf"]
    let tools: ImportTools

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        guard let pdfInfo = tools.pdfInfo, let pdfToText = tools.pdfToText else {
            throw ImportFailure(.unavailable, "pdfinfo and pdftotext are missing: install poppler-utils")
        }
        // Readers look for the mark in the first 1024 bytes.
        guard try file.read(at: 0, count: 1024).firstRange(of: Array("%PDF-".utf8)) != nil else {
            throw ImportFailure(.malformed, "it is no PDF, whatever its name says")
        }
        let arguments = PDFInformation.arguments + ["/dev/stdin"]
        let info = try ProgramRun(pdfInfo, arguments, over: file, outputBytes: 1 << 20, limits: limits)
        guard info.status == 0 || info.isCut else { throw try Self.refusal(of: file) }
        var metadata = ImportedMetadata()
        Self.describe(info.output, &metadata)

        let text = try ProgramRun(
            pdfToText, ["-q", "-enc", "UTF-8", "/dev/stdin", "-"], over: file,
            outputBytes: limits.textBytes + limits.textBytes / 4, limits: limits)
        guard text.status == 0 || text.isCut else {
            // Its author forbids to copy the text.
            if text.status == 3 { return metadata }
            throw ImportFailure(.malformed, "it is a damaged PDF: pdftotext cannot read it")
        }
        var gatherer = TextGatherer(limit: limits.textBytes)
        gatherer.append(String(decoding: text.output, as: UTF8.self), collapsing: false)
        if text.isCut { gatherer.endsEarly() }
        metadata.set(gatherer)
        return metadata
    }

    /// The program says it in words only.
    private static func refusal(of file: ImportFile) throws(ImportFailure) -> ImportFailure {
        let length = 256 << 10
        let mark = Array("/Encrypt".utf8)
        let ends = [try file.read(at: 0, count: length), try file.read(at: max(0, file.size - length), count: length)]
        if ends.contains(where: { $0.firstRange(of: mark) != nil }) {
            return ImportFailure(.encrypted, "it is encrypted and opens with a password only")
        }
        return ImportFailure(.malformed, "it is a damaged PDF: pdfinfo cannot read it")
    }

    private static func describe(_ output: [UInt8], _ metadata: inout ImportedMetadata) {
        for (key, value) in PDFInformation.fields(output) where !value.isEmpty {
            switch key {
            case "Title": metadata.set(.title, value)
            case "Subject": metadata.set(.subject, value)
            case "Author": metadata.add(.authors, value)
            case "Keywords":
                for word in value.split(whereSeparator: { $0 == "," || $0 == ";" }) {
                    metadata.add(.keywords, String(word.drop { $0 == " " }))
                }
            case "Creator": metadata.set(.creator, value)
            case "Producer": metadata.add(.encodingApplications, value)
            case "CreationDate": metadata.set(.contentCreationDate, DateText.parse(value))
            case "ModDate": metadata.set(.contentModificationDate, DateText.parse(value))
            case "Pages": metadata.set(.numberOfPages, Int64(value))
            case "PDF version": metadata.set(.version, value)
            case "Encrypted": metadata.set(.securityMethod, value == "no" ? "None" : "Password Encrypted")
            case "Page size":
                let words = value.split(separator: " ")
                if words.count >= 3, words[1] == "x" {
                    metadata.set(.pageWidth, Double(words[0]))
                    metadata.set(.pageHeight, Double(words[2]))
                }
            case "Page rot":
                // The size, which came before, is that of the page as it lies in the file.
                guard let degrees = Int(value), abs(degrees % 180) == 90 else { continue }
                (metadata[.pageWidth], metadata[.pageHeight]) = (metadata[.pageHeight], metadata[.pageWidth])
            default: break
            }
        }
    }
}
