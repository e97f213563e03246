import CMail
import DriveImporting
import DriveTypes
import Glibc

/// Messages, alone or in an mbox: who wrote to whom, when and about what, and all parts that are text.
struct MailImporter: Importer {
    let types = ["public.email-message", "public.mbox"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        let isMailbox = type.tree.contains("public.mbox")
        let gatherer = MailGatherer(limits: limits, isMailbox: isMailbox)
        switch gatherer.read(file) {
        case 0 where gatherer.hasFields: return gatherer.metadata
        case -ENOMEM: throw ImportFailure(.memory, "it needs more memory than a file may use")
        // No head of a message: what people keep under such names is text at least.
        default: return try TextImporter().import(from: file, as: type, limits: limits)
        }
    }
}
