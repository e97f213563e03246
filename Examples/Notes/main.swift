// Adds a note to a drive and sends it to the other devices: `example-notes DRIVE STORE TEXT`.

import DocumentDrive
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    print("usage: example-notes DRIVE STORE TEXT")
    exit(64)
}

let folder = FolderPath(arguments[1])
do {
    // Makes the folder a drive the first time. A program with a window would show what `look` found, and ask.
    let setup = DriveSetup(folder: folder, store: try StoreAddress(Array(arguments[2].utf8)))
    if try setup.standing() != .done {
        let look = try await setup.look()
        print("\(look.here.items) items here, \(look.there?.items ?? 0) in the store")
        try await setup.carryOut()
    }

    let drive = try Drive.open(folder)
    // Syncing leaves the file alone until the body is done.
    try await drive.coordination.coordinator().coordinate(writing: "Note.txt") { note in
        try (arguments[3] + "\n").write(to: note.url, atomically: false, encoding: .utf8)
    }
    let summary = try await drive.sync()
    print("sent \(summary.sent), brought \(summary.placed), \(summary.items) items")
} catch let error as DriveError {
    print("example-notes: \(error)")
    exit(1)
}
