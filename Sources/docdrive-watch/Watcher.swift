// SPDX-License-Identifier: GPL-2.0-only

import Glibc
import WatchProtocol

/// The library's thread: turns events into reports and keeps the tree of watched folders true.
///
/// The rule that everything rests on: an event only says where to look. A folder event makes it look at the disk, and
/// the inode number found there, not the event's cookie, says whether this is a folder that moved. The disk may be
/// ahead of the events; then what does not fit yet is left for the event that is still to come.
final class Watcher {
    let arguments: Arguments
    let outbox: Outbox
    let cookies: Cookies
    /// Nil where it is opened for each look.
    let rootDescriptor: Int32?
    let device: UInt64
    let leftOutInodes: Set<UInt64>
    var library: InotifyLibrary
    var tree: FolderTree
    let controlWatch: Int32

    /// Folders whose entries must be listed and reported as soon as they can be reached by their path.
    var unlisted: Set<Folder> = []
    /// The tree's generation when `unlisted` was last tried.
    var triedGeneration: UInt32 = 0
    /// Barriers whose cookie was seen but that must wait for `unlisted`.
    var heldBarriers: [UInt64] = []
    /// Folders that exist without a watch.
    var unwatched: Set<Folder> = []
    /// Places whose folder lost its watch; the event that explains it usually follows at once.
    var vanished: [Outbox.Key: (parent: Folder, since: UInt32)] = [:]
    var reportedUnwatched = 0
    var reportedWatched = 0
    var lastRetry: UInt32 = 0
    /// Files that programs write and have not closed.
    var writes: OpenWrites
    /// False while everything is listed for the first time or again: the drive looks everywhere anyway.
    var isReporting = false
    var isListingAll = false
    var now = Disk.seconds()

    init(
        arguments: Arguments, root: Int32?, status: FolderStatus, leftOutInodes: Set<UInt64>,
        library: InotifyLibrary, controlWatch: Int32, outbox: Outbox, cookies: Cookies
    ) {
        self.arguments = arguments
        self.outbox = outbox
        self.cookies = cookies
        self.library = library
        self.controlWatch = controlWatch
        self.leftOutInodes = leftOutInodes
        writes = OpenWrites(openTime: arguments.openTime)
        rootDescriptor = root
        device = status.device
        tree = FolderTree(root: Folder(inode: status.inode, name: []))
    }

    /// Returns the process's exit status.
    func run() -> Int32 {
        listAll()
        reportCoverage()
        var periodic = now
        while library.leaked <= arguments.leakLimit {
            let isIdle: Bool
            switch library.next(timeout: hasLooseEnds) {
            case .event(let event):
                now = Disk.seconds()
                isIdle = false
                handle(event)
            case .nothing:
                now = Disk.seconds()
                isIdle = true
            case .failed(let errno):
                outbox.send(.failure(.inotify, message: "inotify failed with error \(errno)"))
                return WatchExit.failed
            }
            if triedGeneration != tree.generation { listUnlisted() }
            if isIdle || now != periodic {
                tieLooseEnds(isIdle: isIdle)
                periodic = now
            }
            if !heldBarriers.isEmpty { answerBarriers() }
        }
        return WatchExit.restart
    }

    /// Tells the drive that `name` changed, or anything in the folder where it is empty. Where a folder has no place, its entries are reported when it has one.
    func report(_ name: [UInt8], in folder: Folder, isClosed: Bool) {
        guard let path = tree.path(of: folder) else {
            unlisted.insert(folder)
            return
        }
        folder.lastReport = now
        let key = Outbox.Key(folder: ObjectIdentifier(folder), generation: tree.generation, name: name)
        outbox.touched(key, folder: path, isClosed: isClosed)
    }

    var isCoverageNews: Bool { reportedUnwatched != unwatched.count || reportedWatched != tree.count - unwatched.count }

    func reportCoverage() {
        (reportedUnwatched, reportedWatched) = (unwatched.count, tree.count - unwatched.count)
        outbox.send(
            .ready(watched: UInt32(clamping: reportedWatched), unwatched: UInt32(clamping: reportedUnwatched)))
    }
}
