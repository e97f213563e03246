import Foundation
import TestSupport
import Testing

/// What several things at once did to a tree is undone whole, on the device that did it and on one that was told.
@Suite(.mayBlock)
struct UndoOrderTests {
    private static let before = [
        "a/f": "f", "a/g": "g", "b/h": "h", "c/i": "i", "Report/page": "page", "note": "note", "g/g/deep": "deep",
        "g/g/f": "inner", "w/w": "w",
    ]

    private static let changes: [String: [String]] = [
        "a file is deleted in a folder that is renamed": ["mv a A", "rm A/f"],
        "a folder gets the name of one that is gone": ["mv b/h c/h", "rmdir b", "mv a b"],
        "a folder and a file change places": ["rm a/f", "mv a x", "mv note a", "mv x note"],
        "a folder is made under a name that was freed": [
            "mv Report Report-old", "mkdir Report", "echo n > Report/new",
        ],
        "a folder is made in one that is renamed": ["mv a A", "mkdir A/sub", "echo n > A/sub/new"],
        "a file is made under a name that was freed": ["mkdir old", "mv note old/note", "echo n > note"],
        "what was in a folder is put into the one that gets its name": ["mv a/f c/f", "rm -r a", "mv c a"],
        "a file goes into a new folder of its name": ["mkdir x", "mv note x/note", "mv x note"],
        "files go into a new folder that has the name of one": ["mkdir x", "mv note a/f x", "mv x note"],
        "a file goes into a new folder of its name and is edited": [
            "mkdir x", "mv note x/note", "mv x note", "echo more >> note/note", "chmod +x note/note",
        ],
        "a file takes the place of its folder": ["mv w/w x", "rmdir w", "mv x w"],
        "a file is replaced by a folder": ["rm note", "mkdir note", "echo n > note/in"],
        "a folder is replaced by a file": ["rm -r c", "echo n > c"],
        "a folder and one in it are turned over": ["mv g/g x", "mv g x/g", "mv x g"],
        "folders are moved into each other": ["mv a b/a", "mv b c/b", "mv c Report/c"],
        "a folder is renamed whose file changed places with one outside": [
            "mv a/f x", "mv note a/f", "mv x note", "mv a b/e",
        ],
        "folders change places, and files in them": [
            "mv a x", "mv g a", "mv x g", "mv a/g/deep y", "mv g/f a/g/deep", "mv y g/f",
        ],
        "folders change places, one of them out of another, and a file in it": [
            "mv a x", "mv g/g a", "mv x g/g", "mv a/f y", "mv note a/f", "mv y note",
        ],
        "a file comes out of a folder that is renamed": ["mv a/f top", "mv a b/a2"],
        "a file goes into a folder that is renamed": ["mv a b/a2", "mv note b/a2/f2"],
        "what moves is edited and made executable": ["mv note memo", "echo more >> memo", "chmod +x memo"],
        "what changes places is made executable": ["mv a/f x", "mv a/g a/f", "mv x a/g", "chmod +x a/f"],
    ]

    private static let setAside = [
        "a folder gets the name of one that is gone", "what was in a folder is put into the one that gets its name",
        "a file takes the place of its folder",
    ]

    @Test(arguments: Array(changes.keys.sorted()), ["a", "b"])
    func aTreeIsAsItWasBefore(_ change: String, _ undoing: String) throws {
        let machine = try Machine()
        try machine.twoDrives(Self.before)
        let whole = machine.files("a")
        let script = "set -e; cd \(machine.root)/a; " + (Self.changes[change] ?? []).joined(separator: "; ")
        #expect(try machine.run(["-c", script], program: "/bin/sh").code == 0)
        try machine.settle()
        #expect(machine.files("b") == machine.files("a"))
        #expect(machine.files("a") != whole || script.contains("chmod"))
        let undo = try machine.run("-C", undoing, "undo", "2", "--yes")
        // What waited aside until its place was free, and whose folder went meanwhile.
        if undoing == "b", Self.setAside.contains(change) {
            #expect(undo.code == 2 && undo.output.contains("as it is: where it was before is not known any more"))
            return
        }
        #expect(undo.code == 0, "\(undo.output)\(undo.error)")
        #expect(machine.files(undoing) == whole, "\(undo.output)")
        #expect(executables(machine, undoing).isEmpty, "\(undo.output)")
        // Nothing of it is told once more as if somebody else had done it.
        try machine.settle()
        #expect(
            try machine.run("-C", undoing, "undo", "--list").output.split(separator: "\n").count == 3, "\(undo.output)")
        // Nor is anything done once more.
        #expect(try machine.run("-C", undoing, "undo", "2", "--yes").code != 75)
        for drive in ["a", "b"] {
            #expect(machine.files(drive) == whole, "\(drive)")
            #expect(executables(machine, drive).isEmpty, "\(drive)")
        }
    }

    private func executables(_ machine: Machine, _ drive: String) -> [String] {
        machine.files(drive).keys.filter { path in
            let place = "\(machine.root)/\(drive)/\(path)"
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) && !isFolder.boolValue
                && FileManager.default.isExecutableFile(atPath: place)
        }
    }
}
