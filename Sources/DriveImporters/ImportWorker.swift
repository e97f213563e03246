import DriveImporting
import CLinux
import Glibc
import DriveTypes

/// The importer process: reads one file after the other for whoever started it, and ends with its channel.
public enum ImportWorker {
    /// What a worker may use, unless its first argument says otherwise.
    static let memoryBytes: UInt64 = 512 << 20

    /// Never returns. The channel is the standard input.
    public static func run() -> Never {
        let channel = Channel(descriptor: fcntl(0, F_DUPFD_CLOEXEC, 3))
        // Nothing that a library prints may get into the channel.
        let nowhere = open("/dev/null", O_RDWR)
        for standard: Int32 in 0...2 { dup2(nowhere, standard) }
        if nowhere > 2 { close(nowhere) }
        let types = ContentTypes.shared
        let memory = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) }
        dd_import_confine(memory ?? memoryBytes)
        while let body = try? channel.receive(), let request = try? ImportRequest(body) {
            alarm(request.lifeSeconds)
            dd_import_limit_cpu(UInt32(clamping: request.limits.processorSeconds))
            let reply = ImportReply(number: request.number, result: answer(request, types))
            guard (try? channel.send(reply.encoded)) != nil else { break }
            alarm(0)
        }
        exit(0)
    }

    static func answer(_ request: ImportRequest, _ types: ContentTypes) -> Result<ImportedMetadata, ImportFailure> {
        do throws(ImportFailure) {
            let file = try ImportFile.open(path: request.path)
            defer { close(file.descriptor) }
            let name = request.path.split(separator: UInt8(ascii: "/")).last ?? []
            return .success(
                try Importers(tools: request.tools, contentTypes: types).import(
                    from: file, name: Array(name), type: request.mime.map(types.type(mime:)), limits: request.limits))
        } catch {
            return .failure(error)
        }
    }
}
