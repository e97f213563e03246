import Foundation
import Glibc
import TestSupport
import Testing

/// Small file systems of their own; only root may mount them.
@Suite(.mayBlock)
struct FullDiskTests {
    static let mayMount: Bool = {
        guard geteuid() == 0 else { return false }
        let place = NSTemporaryDirectory() + "docdrive-mount-\(UUID().uuidString)"
        mkdir(place, 0o700)
        defer { rmdir(place) }
        guard mount("none", place, "tmpfs", 0, "size=64k") == 0 else { return false }
        umount(place)
        return true
    }()

    private func onSmallDisk(_ machine: Machine, _ name: String, size: String, _ body: () throws -> Void) throws {
        let place = "\(machine.root)/\(name)"
        mkdir(place, 0o700)
        try #require(mount("none", place, "tmpfs", 0, "size=\(size)") == 0)
        defer { umount2(place, Int32(MNT_DETACH)) }
        try body()
    }

    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func aFullStoreIsSaidAndNothingIsDamaged() throws {
        let machine = try Machine()
        var noise = SystemRandomNumberGenerator()
        try onSmallDisk(machine, "stick", size: "1m") {
            let text = (0..<400_000).map { _ in String(UInt64.random(in: 0...(.max), using: &noise), radix: 36) }
                .joined()
            try machine.write(text, to: "a/Large")
            let result = try machine.run("sync", "a", "--to", "stick/store", "--yes")
            #expect(result.code == 10)
            #expect(result.error.contains("the disk is full"), "\(result.error)")
            #expect(machine.read("a/Large") == text)
        }
    }

    /// What a lost store never got needs room in the trash: without it the drive does not leave that store.
    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func withoutRoomForWhatWasNeverSentNoStoreIsLeft() throws {
        let machine = try Machine()
        try onSmallDisk(machine, "d", size: "24m") {
            try machine.write("1", to: "d/f")
            #expect(try machine.run("sync", "d", "--to", "store", "--yes").code == 0)
            try machine.move("store", to: "gone")
            for text in ["2", "3"] {
                try machine.write(text, to: "d/f")
                #expect(try machine.run("sync", "d").code == 69)
            }
            try fill("\(machine.root)/d/noise")
            let refused = try machine.connectAnew("d", to: "other")
            #expect(refused.code == 10 && refused.error.contains("make room first"), "\(refused)")
            #expect(try machine.run("versions", "d/f").output.contains("not sent yet"))
            try machine.remove("d/noise")
            let connected = try machine.run("sync", "d", "--to", "other", "--yes")
            #expect(connected.code == 0 && connected.error.contains("1 version that"), "\(connected)")
            #expect(try machine.run("-C", "d", "trash", "ls").output.contains("  f"))
        }
    }

    /// What was in the way of an item before is not what keeps it waiting now, and nothing that waits is left out.
    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func whatAWatchCannotSendForAFullStoreIsSaidOfEachItem() throws {
        let machine = try Machine()
        try onSmallDisk(machine, "stick", size: "8m") {
            #expect(try machine.run("sync", "a", "--to", "stick/store", "--yes").code == 0)
            let watch = try machine.watch("a")
            defer { watch.end() }
            var noise = SystemRandomNumberGenerator()
            let bytes = (0..<250_000).map { _ in noise.next() }
            let file = open("\(machine.root)/a/Large", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            #expect(count == bytes.count * 8)
            func why(_ name: String) throws -> String { try machine.run("-C", "a", "why", name, "--json").output }
            #expect(try eventually { try why("Large").contains("\"open-for-writing\"") })
            try fill("\(machine.root)/stick/noise")
            close(file)
            try machine.write("small", to: "a/Small")
            #expect(try eventually { try why("Large").contains("\"store-full\"") })
            let short = try machine.run("-C", "a", "status", "--short").output
            #expect(short.contains(" Large\n") && short.contains(" Small\n"), "\(short)")
            let inside = try machine.run("why", "a").output
            #expect(inside.contains(" Small  ") && !inside.contains("open for writing"), "\(inside)")
        }
    }

    /// What makes room must not need any.
    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func onAFullDiskTheDriveAnswersAndItsTrashIsEmptied() throws {
        let machine = try Machine()
        try onSmallDisk(machine, "disk", size: "24m") {
            try machine.write(String(repeating: "old ", count: 1 << 20), to: "disk/a/Large")
            #expect(try machine.run("sync", "disk/a", "--to", "store", "--yes").code == 0)
            #expect(try machine.run("sync", "b", "--to", "store", "--yes").code == 0)
            try machine.write("new", to: "b/Large")
            #expect(try machine.run("sync", "b").code == 0)
            #expect(try machine.run("sync", "disk/a").code == 0)
            try fill("\(machine.root)/disk/noise")
            for command in [["status"], ["trash", "ls"], ["why", "Large"], ["log"], ["trash", "empty", "--yes"]] {
                let result = try machine.run(["-C", "disk/a"] + command)
                #expect(result.code == 0, "\(command): \(result.output) \(result.error)")
            }
            #expect(try machine.run("-C", "disk/a", "trash", "ls").output.contains("The trash is empty"))
            try machine.write("more", to: "disk/a/Other")
            let result = try machine.run("sync", "disk/a")
            #expect(result.code == 0, "\(result.error)")
        }
    }

    /// However often a pass is tried that finds no room, what is kept for the commands that make some is left for them.
    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func whatIsKeptForMakingRoomIsSpentByNothingElse() throws {
        let machine = try Machine()
        try onSmallDisk(machine, "disk", size: "24m") {
            try machine.write(String(repeating: "old ", count: 1 << 20), to: "disk/a/Large")
            #expect(try machine.run("sync", "disk/a", "--to", "store", "--yes").code == 0)
            try machine.write("more", to: "disk/a/Other")
            try fill("\(machine.root)/disk/noise")
            for _ in 0..<3 {
                let sync = try machine.run("sync", "disk/a")
                #expect([0, 10].contains(sync.code), "\(sync)")
                for command in [["status"], ["trash"], ["why", "Large"]] {
                    let result = try machine.run(["-C", "disk/a"] + command)
                    #expect(result.code == 0, "\(command): \(result)")
                }
            }
            let reserve = "\(machine.root)/disk/a/.docdrive/reserve-for-making-room"
            #expect(FileManager.default.fileExists(atPath: reserve))
            let emptied = try machine.run("-C", "disk/a", "trash", "empty", "--yes")
            #expect(emptied.code == 0, "\(emptied)")
            unlink("\(machine.root)/disk/noise")
            let sync = try machine.run("sync", "disk/a")
            #expect(sync.code == 0, "\(sync)")
        }
    }

    /// The index knows nothing of what no pass could write down.
    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func onAFullDiskNobodyIsToldThatAllIsInStep() throws {
        let machine = try Machine()
        try onSmallDisk(machine, "disk", size: "24m") {
            for number in 0..<400 { try machine.write("\(number)", to: "disk/a/file \(number)") }
            #expect(try machine.run("sync", "disk/a", "--to", "store", "--yes").code == 0)
            let watch = try machine.watch("disk/a", "--jsonl")
            defer { watch.end() }
            try fill("\(machine.root)/disk/noise")
            for number in 0..<400 {
                let (old, new) = ("file \(number)", "File number \(number)")
                #expect(rename("\(machine.root)/disk/a/\(old)", "\(machine.root)/disk/a/\(new)") == 0)
            }
            #expect(eventually { watch.output.contains("trouble") }, "\(watch.error)")
            for _ in 0..<2 {
                let wait = try machine.run("-C", "disk/a", "wait", "--timeout", "60s")
                #expect(wait.code == 10, "\(wait.error)")
                #expect(
                    wait.error.contains("The disk of the index is full")
                        && wait.error.contains("/.docdrive/index.sqlite"),
                    "\(wait.error)")
            }
            #expect(!watch.output.contains("\"moved\""), "what is taken back has not happened")
            unlink("\(machine.root)/disk/noise")
            #expect(try machine.run("-C", "disk/a", "wait", "--timeout", "5m").code == 0)
            #expect(eventually { watch.output.split(separator: "\n").count { $0.contains("\"moved\"") } == 400 })
        }
    }

    /// Nothing is left.
    private func fill(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let noise = [UInt8](repeating: 7, count: 1 << 16)
        for count in [noise.count, 4096, 1] { while write(file, noise, count) > 0 {} }
        try #require(errno == ENOSPC)
    }

    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func aReadOnlyFolderIsSaidAndCanBeRead() throws {
        let machine = try Machine()
        try onSmallDisk(machine, "disk", size: "8m") {
            try machine.write("x", to: "disk/a/File")
            #expect(try machine.run("sync", "disk/a", "--to", "store", "--yes").code == 0)
            try #require(mount("none", "\(machine.root)/disk", "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0)
            let result = try machine.run("sync", "disk/a")
            #expect(result.code == 78)
            #expect(result.error.contains("the file system is read-only"), "\(result.error)")
            let status = try machine.run("-C", "disk/a", "status", "--json")
            #expect(status.code == 0, "\(status.error)")
            #expect(try machine.run("-C", "disk/a", "ls").output.contains("File"))
            let why = try machine.run("why", "disk/a/File")
            #expect(why.code == 0 && why.output.hasPrefix("S File  synced"), "\(why.error)")
        }
    }

    /// What a restore that fails was about to move is not taken for lost.
    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func aRestoreThatTheDiskHasNoRoomForLeavesNothingInTheTrash() throws {
        let machine = try Machine()
        let (old, new) = (String(repeating: "old", count: 700_000), String(repeating: "newer", count: 400_000))
        try onSmallDisk(machine, "disk", size: "24m") {
            for name in ["one", "two"] { try machine.write(old, to: "disk/a/\(name)") }
            #expect(try machine.run("sync", "disk/a", "--to", "store", "--yes").code == 0)
            for name in ["one", "two"] { try machine.write(new, to: "disk/a/\(name)") }
            #expect(try machine.run("sync", "disk/a").code == 0)
            try fill("\(machine.root)/disk", but: 3_500_000)
            let result = try machine.run("restore", "disk/a/one", "disk/a/two")
            #expect(result.code == 2, "\(result.error)")
            #expect(
                result.output.contains("one: is back") && result.output.contains("two: not restored: "),
                "\(result.output)")
            #expect(machine.read("disk/a/one") == old && machine.read("disk/a/two") == new)
            let trash = try machine.run("-C", "disk/a", "trash").output
            #expect(trash.contains("one") && !trash.contains("two"), "\(trash)")
        }
    }

    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func whatIsRestoredIsBackThoughTheStoreTakesNothing() throws {
        let machine = try Machine()
        try onSmallDisk(machine, "stick", size: "8m") {
            try machine.write("1\n", to: "a/t.txt")
            #expect(try machine.run("sync", "a", "--to", "stick/store", "--yes").code == 0)
            try machine.write("12\n", to: "a/t.txt")
            #expect(try machine.run("sync", "a").code == 0)
            try #require(mount("none", "\(machine.root)/stick", "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0)
            let result = try machine.run("restore", "a/t.txt")
            #expect(result.code == 0 && result.output.hasPrefix("t.txt: is back"), "\(result.output)")
            #expect(result.error.contains("read-only"), "\(result.error)")
            #expect(result.error.contains("the next `docdrive -C a sync` tells the other devices"), "\(result.error)")
            #expect(machine.read("a/t.txt") == "1\n")
        }
    }

    @Test(.enabled(if: mayMount, "a tmpfs cannot be mounted here"))
    func whatAWatchHasSeenIsKeptThoughTheStoreIsFull() throws {
        let machine = try Machine()
        try machine.write("1\n", to: "a/t.txt")
        try onSmallDisk(machine, "stick", size: "4m") {
            #expect(try machine.run("sync", "a", "--to", "stick/store", "--yes").code == 0)
            let watch = try machine.watch("a")
            defer { watch.end() }
            try fill("\(machine.root)/stick/noise")
            for text in ["second\n", "the third\n"] {
                try machine.write(text, to: "a/t.txt")
                let size = "size:\(text.utf8.count)"
                #expect(try eventually { try machine.run("-C", "a", "find", size).output.contains("t.txt") })
            }
            func second() throws -> Substring? {
                try machine.run("versions", "a/t.txt").output.split(separator: "\n").first { $0.contains("  7 bytes") }
            }
            #expect(try second()?.hasSuffix(", not sent yet") == true, "\(watch.error)")
            #expect(try eventually { try machine.run("-C", "a", "status").output.contains("the disk is full") })
            unlink("\(machine.root)/stick/noise")
            #expect(try machine.run("-C", "a", "wait", "--timeout", "5m").code == 0)
            #expect(try second()?.hasSuffix(", on the store") == true)
        }
    }

    private func fill(_ place: String, but left: Int) throws {
        var facts = statvfs()
        try #require(statvfs(place, &facts) == 0)
        let size = Int(facts.f_bavail) * Int(facts.f_bsize) - left
        try Data(count: max(size, 0)).write(to: URL(fileURLWithPath: "\(place)/full"))
    }
}
