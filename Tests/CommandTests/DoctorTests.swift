import Foundation
import TestSupport
import Testing

@Suite(.mayBlock)
struct DoctorTests {
    private func findings(_ machine: Machine, _ folder: String) throws -> (code: Int32, all: [String: [String: String]])
    {
        let result = try machine.run("-C", folder, "doctor", "--json")
        let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]] ?? []
        var all: [String: [String: String]] = [:]
        for finding in list {
            let check = finding["check"] as? String ?? ""
            let level = finding["level"] as? String ?? ""
            // The worst of each.
            if all[check] == nil || level == "problem" { all[check] = finding.compactMapValues { $0 as? String } }
        }
        return (result.code, all)
    }

    @Test func aSoundDriveHasNoProblem() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let (code, all) = try findings(machine, "a")
        #expect(code == 0, "\(all)")
        for check in ["docdrive", "folder", "state folder", "lock", "settings", "index", "items", "store", "clock"] {
            #expect(all[check]?["level"] == "ok", "\(check): \(all[check] ?? [:])")
        }
    }

    /// To take the lock for a look would turn away a sync of that moment.
    @Test func aLookTakesNoLock() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("left\n", to: "a/.docdrive/lock")
        #expect(try findings(machine, "a").1["lock"]?["message"] == "nobody works on the drive")
        #expect(machine.read("a/.docdrive/lock") == "left\n")
    }

    @Test func theTrashHasWhatItsListHas() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "1\n"])
        try machine.write("two\n", to: "a/f")
        try machine.write("three\n", to: "b/f")
        try machine.settle()
        for drive in ["a", "b"] {
            let listed = try machine.run("-C", drive, "trash", "ls", "--jsonl").output.split(separator: "\n").count
            let told = try findings(machine, drive).1["index"]?["message"] ?? ""
            #expect(told.hasSuffix(" \(listed) in the trash"), "\(listed): \(told)")
        }
    }

    /// The drive got another store while something waited for the first one.
    @Test func whatWaitedForAnotherStoreIsNamed() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(try !machine.run("-C", "a", "doctor").output.contains("waited for another store"))
        try machine.write(String(repeating: "x", count: 3 << 20), to: "a/.docdrive/unsent-before/dd1/blob")
        let told = try machine.run("-C", "a", "doctor")
        let place = "\(machine.root)/a/.docdrive/unsent-before"
        #expect(told.code == 0, "\(told)")
        #expect(told.output.contains("3 MiB that waited for another store are left in \(place)"), "\(told.output)")
        #expect(told.output.contains("run `rm -r \(place)`"), "\(told.output)")
    }

    @Test func indexesThatWerePutAsideAreNamed() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let aside = "a/.docdrive/index.sqlite.damaged-1700000000"
        try machine.write(String(repeating: "x", count: 3 << 20), to: aside)
        let told = try machine.run("-C", "a", "doctor")
        #expect(told.code == 0 && told.output.contains("3 MiB of indexes that were damaged"), "\(told)")
        #expect(told.output.contains("run `rm \(machine.root)/a/.docdrive/index.sqlite.damaged-*`"), "\(told.output)")
        try machine.remove(aside)
        #expect(try !machine.run("-C", "a", "doctor").output.contains("indexes that were damaged"))
    }

    @Test func eachProblemIsNamedWithWhatToDo() throws {
        let machine = try Machine()
        try machine.twoDrives()
        chmod("\(machine.root)/a/.docdrive", 0o755)
        var (code, all) = try findings(machine, "a")
        #expect(code == 78)
        #expect(all["state folder"]?["advice"]?.hasPrefix("run `chmod 700") == true)
        // Every start closes it.
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try findings(machine, "a").code == 0)

        try machine.move("store", to: "elsewhere")
        (code, all) = try findings(machine, "a")
        #expect(code == 78)
        #expect(all["store"]?["level"] == "problem")
        #expect(try machine.run("sync", "a").code == 69)
        try machine.move("elsewhere", to: "store")
        // What can be read now may still refuse what is written.
        #expect(try machine.run("-C", "a", "doctor").output.contains("store         the last pass ended there: "))
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try findings(machine, "a").all["store"]?["level"] == "ok")

        try machine.write(String(repeating: "no database", count: 800), to: "a/.docdrive/index.sqlite")
        for ending in ["-wal", "-shm"] { try? machine.remove("a/.docdrive/index.sqlite\(ending)") }
        (code, all) = try findings(machine, "a")
        #expect(code == 78)
        #expect(all["index"]?["advice"] == "run `docdrive verify --repair`")
        // One fault is one problem.
        #expect(all["clock"]?["level"] == "warning")
    }

    @Test func aFolderThatIsNoDriveIsAFindingToo() throws {
        let machine = try Machine()
        try machine.write("x", to: "plain/file")
        let (code, all) = try findings(machine, "plain")
        #expect(code == 78)
        #expect(all["folder"]?["level"] == "problem")
        #expect(!FileManager.default.fileExists(atPath: "\(machine.root)/plain/.docdrive"))
    }

    @Test func whoeverWatchesIsNamed() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.start("watch", "a")
        defer { watch.signal(SIGKILL) }
        #expect(try eventually { try machine.run("-C", "a", "status").output.contains("Running  process") })
        let (code, all) = try findings(machine, "a")
        #expect(code == 0, "\(all)")
        #expect(all["lock"]?["message"]?.contains("\(watch.process.id)") == true)
        #expect(all["running"]?["message"]?.hasPrefix("process \(watch.process.id)") == true)
        watch.signal(SIGTERM)
        _ = watch.finish()
    }

    /// Whatever the umask: state, socket, trash.
    @Test func nothingOfTheDriveIsOpenToOthers() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.remove("b/Letter.txt")
        _ = try machine.run("sync", "b")
        let program = "umask 000; exec \(Machine.program) \"$@\""
        let make = ["-c", program, "sh", "sync", "c", "--to", "store", "--yes"]
        #expect(try machine.run(make, program: "/bin/sh").code == 0)
        let watch = try machine.start(["-c", program, "sh", "watch", "c"], program: "/bin/sh")
        defer { watch.signal(SIGKILL) }
        #expect(try eventually { try machine.isWatched("c") })
        let state = "\(machine.root)/c/.docdrive"
        #expect(try mode(state) == 0o700)
        for path in try FileManager.default.subpathsOfDirectory(atPath: state) {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(state)/\(path)", isDirectory: &isFolder)
            if isFolder.boolValue { #expect(try mode("\(state)/\(path)") & 0o077 == 0, "\(path)") }
        }
        for file in ["config.toml", "lock", "replica"] { #expect(try mode("\(state)/\(file)") == 0o600, "\(file)") }
        let runtime = "\(machine.root)/run/docdrive"
        #expect(try mode(runtime) == 0o700)
        for socket in try FileManager.default.contentsOfDirectory(atPath: runtime) {
            #expect(try mode("\(runtime)/\(socket)") == 0o600)
        }
        watch.signal(SIGTERM)
        _ = watch.finish()
    }

    private func mode(_ path: String) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        return try #require(value)
    }
}
