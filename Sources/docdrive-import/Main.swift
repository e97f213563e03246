import DriveImporters

/// The importer process.
@main
struct Main {
    static func main() { ImportWorker.run() }
}
