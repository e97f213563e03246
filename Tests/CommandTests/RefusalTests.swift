import DriveFiles
import Foundation
import TestSupport
import Testing

/// Every refusal: exactly this sentence, exactly this code, and nothing changed.
@Suite(.mayBlock)
struct RefusalTests {
    private func refuses(_ machine: Machine, _ arguments: [String], _ code: Int32, _ sentence: String) throws {
        let result = try machine.run(arguments)
        #expect(result.code == code)
        #expect(machine.plain(result.error) == "docdrive: \(sentence)")
        #expect(result.output.isEmpty)
    }

    @Test func commandsThatAreNone() throws {
        let machine = try Machine()
        try refuses(
            machine, ["resolve", "thesis.txt", "--keep", "current"], 64,
            "there is no command 'resolve'; did you mean `docdrive conflicts resolve`?")
        try refuses(
            machine, ["conflict"], 64, "there is no command 'conflict'; did you mean `docdrive conflicts`?")
        try refuses(machine, ["snyc", "a"], 64, "there is no command 'snyc'; did you mean `docdrive sync`?")
        try refuses(machine, ["umount", "a"], 64, "there is no command 'umount'; `docdrive help` lists them")
        try refuses(machine, ["help", "umount"], 64, "there is no command 'umount'; `docdrive help` lists them")
        try refuses(machine, ["help", "snyc"], 64, "there is no command 'snyc'; did you mean `docdrive sync`?")
        try refuses(
            machine, ["help", "conflicts", "end"], 64,
            "there is no command 'conflicts end'; `docdrive help conflicts` tells of it")
        for words in [
            ["help"], ["help", "sync"], ["help", "conflicts", "ls"], ["help", "help"], ["help", "exit-codes"],
        ] {
            #expect(try machine.run(words).code == 0, "\(words)")
        }
        try refuses(machine, ["status", "-C"], 64, "-C needs a folder: docdrive -C DIR ...")
        try refuses(machine, ["-C", "", "status"], 64, "-C needs a folder: docdrive -C DIR ...")
    }

    /// Not for want of room.
    @Test func aTemporaryFolderThatIsNotThere() throws {
        let machine = try Machine(variables: ["TMPDIR": "/nowhere/at/all"])
        try machine.twoDrives(["f": "1\n"])
        try machine.write("two\n", to: "a/f")
        try machine.settle()
        try refuses(
            machine, ["-C", "a", "diff", "f"], 78,
            "no temporary folder can be made: No such file or directory: /nowhere/at/all: set TMPDIR to a folder that is "
                + "there")
    }

    @Test func placesThatCannotBeDrives() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try refuses(
            machine, ["sync", "/", "--to", "new", "--yes"], 64,
            "the whole file system cannot be a drive: /: choose a folder in it")
        try refuses(
            machine, ["sync", "home", "--to", "new", "--yes"], 64,
            "a home folder itself cannot be a drive: ~/home: choose a folder in it, such as Documents")
        try refuses(
            machine, ["sync", "a/inner", "--to", "new", "--yes"], 64,
            "the folder lies in the drive ~/a: ~/a/inner: drives are never nested, choose a folder outside")
        try refuses(
            machine, ["init", "store/inner"], 64,
            "the folder lies in the store ~/store: ~/store/inner: choose a folder outside of it")
        try refuses(
            machine, ["sync", "nowhere/deep", "--to", "new", "--yes"], 64,
            "the folder above is missing: ~/nowhere/deep: make it first, or correct the path")
        try machine.write("x", to: "outer/file")
        for command in ["init", "sync", "watch"] {
            try refuses(
                machine, [command, "outer/file", "--to", "new", "--yes"], 64,
                "this is a file, and only a folder can be a drive: ~/outer/file: name the one that it is in, or another one"
            )
        }
        try refuses(
            machine, ["doctor", "outer/file"], 64,
            "this is a file: ~/outer/file: name the drive, or the folder that is to be one")
        try machine.move("a", to: "outer/a")
        try refuses(
            machine, ["sync", "outer", "--to", "new", "--yes"], 64,
            "the folder holds another drive, a: ~/outer: drives are never nested, choose another folder")
        // Folders in which no folder lies are passed over; one with a drive has one.
        try machine.write("x", to: "outer/deep/leaf/file")
        try machine.move("outer/a", to: "outer/deep/a")
        try refuses(
            machine, ["init", "outer", "--yes"], 64,
            "the folder holds another drive, deep/a: ~/outer: drives are never nested, choose another folder")
        try machine.move("outer/deep/a", to: "a")
        try machine.move("store", to: "outer/deep/store")
        try refuses(
            machine, ["init", "outer", "--yes"], 64,
            "the folder holds a store, deep/store: ~/outer: move it out of the folder first")
        #expect(!FileManager.default.fileExists(atPath: "\(machine.root)/new"))
    }

    @Test func placesThatCannotBeStores() throws {
        let machine = try Machine()
        try machine.write("x", to: "a/file")
        try machine.write("x", to: "full/file")
        try refuses(
            machine, ["sync", "a", "--to", "a/store", "--yes"], 64,
            "the store cannot lie in the drive ~/a: ~/a/store: choose a folder outside")
        try refuses(
            machine, ["sync", "full/drive", "--to", "full", "--yes"], 64,
            "the store cannot lie around the drive ~/full/drive: ~/full: choose a folder beside it")
        try refuses(
            machine, ["sync", "a", "--to", "full", "--yes"], 64,
            "the folder has content and is no store: ~/full: give an empty or a new folder")
        try refuses(
            machine, ["sync", "a", "--to", "full/file", "--yes"], 64,
            "the store cannot be a file: ~/full/file: give a folder")
        try refuses(
            machine, ["sync", "a", "--to", "mistyped/store", "--yes"], 69,
            "the folder that the store should be made in is missing: ~/mistyped/store: "
                + "is its disk mounted, is the path right?")
        try refuses(
            machine, ["sync", "a", "--to", "ftp://host/x", "--yes"], 64,
            "a store of the kind `ftp` is not known: use a folder's path, file://, s3://, webdav://, webdavs://, sftp://"
        )
        #expect(!FileManager.default.fileExists(atPath: "\(machine.root)/a/.docdrive"))
    }

    @Test func drivesThatAreNotWhatIsAskedFor() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try refuses(
            machine, ["sync", "a", "--to", "other"], 64,
            "the drive has another store, ~/store: ~/a: leave out --to. If that was moved, write its new address as `store` "
                + "into the drive's .docdrive/config.toml; if it is gone for good, take `store` and `store-id` out there "
                + "first")
        try refuses(
            machine, ["init", "a"], 64, "this folder is a drive already: ~/a: `docdrive -C a status` tells more")
        try refuses(
            machine, ["sync", "home"], 64,
            "no drive here or above: ~/home: make one with `docdrive sync DIR --to URL`, or with `docdrive init DIR` without a store"
        )
        #expect(try machine.run("sync", "a", "--to", "file://\(machine.root)/store").code == 0)
    }

    @Test func aStoreThatIsNotThere() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.move("store", to: "away")
        try refuses(
            machine, ["sync", "a"], 69, "the store's folder is not there: ~/store: is its disk mounted?")
        try FileManager.default.createDirectory(atPath: "\(machine.root)/store", withIntermediateDirectories: false)
        try refuses(
            machine, ["sync", "a"], 69, "the store of this drive is not in this folder: ~/store: is its disk mounted?")
        try machine.remove("store")
        try machine.move("away", to: "store")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(machine.files("a") == ["Letter.txt": "dear\n"])
    }

    @Test func twoProcessesOnOneDrive() throws {
        let machine = try Machine()
        try machine.twoDrives()
        guard case .taken(let lock) = try DriveLock.take(at: Array("\(machine.root)/a".utf8)) else {
            Issue.record("the lock is not free")
            return
        }
        try refuses(
            machine, ["sync", "a"], 75,
            "process \(getpid()) is working on this drive: ~/a: wait until it is done, or stop it")
        withExtendedLifetime(lock) {}
    }

    @Test func aStoreOfANewerFormat() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let id = try #require(
            FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/store/dd1").first)
        try makeNewer("\(machine.root)/store/dd1/\(id)/format")
        try refuses(
            machine, ["sync", "a"], 78,
            "the store has version 99, this program knows 1: update it to go on")
    }

    @Test func settingsThatCannotBeRead() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("store = = broken", to: "a/.docdrive/config.toml")
        let result = try machine.run("sync", "a")
        #expect(result.code == 78)
        #expect(result.error.hasPrefix("docdrive: the settings cannot be read: "))
    }

    @Test func filesThatAreToBeFolders() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try refuses(
            machine, ["conflicts", "clean", "a/Letter.txt"], 64,
            "this is a file: ~/a/Letter.txt: name the folder that it is in")
        try refuses(
            machine, ["-C", "a", "trash", "export", "Letter.txt"], 64,
            "this is a file: ~/a/Letter.txt: give a new or an empty folder")
        for place in ["a/.docdrive/trash/x", "b/.docdrive/x"] {
            try refuses(
                machine, ["-C", "a", "trash", "export", "../\(place)"], 64,
                "this is in a drive's own folder: ~/\(place): give a new or an empty one outside of .docdrive")
        }
    }

    /// Each says what to do next.
    @Test func whatIsNotKnown() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("x", to: "a/d/e")
        try machine.settle()
        let gone = "`docdrive -C a trash` lists what was removed, `docdrive -C a log` what was moved"
        try refuses(
            machine, ["-C", "a", "diff", "nosuch"], 64, "nothing is known of a file that was here: nosuch: \(gone)")
        try refuses(
            machine, ["-C", "a", "diff", "d"], 64,
            "versions are of files, and this is a folder: d: name a file in it, `docdrive -C a log d` tells what happened there"
        )
        for command in ["diff", "restore"] {
            try refuses(
                machine, ["-C", "a", command, "Letter.txt"], 64,
                "no earlier content of it is known: Letter.txt: `docdrive -C a versions Letter.txt` lists what is")
        }
        try refuses(
            machine, ["-C", "a", "restore", "Letter.txt@yesterday"], 64,
            "no version of it is known from before yesterday: Letter.txt: `docdrive -C a versions Letter.txt` lists those that "
                + "are, the oldest last")
        try refuses(
            machine, ["-C", "a", "deletes", "confirm", "d9"], 64,
            "no held delete has this id, and none is held now: d9: `docdrive -C a log` names those that went through")
        try refuses(
            machine, ["-C", "a", "find", "x=y"], 64,
            "there is no attribute x: quote it to look for the words as they are: '\"...\"'")
        for arguments in [["attrs", "-name", "nosuch", "d"], ["find", "--predicate", "nosuch == 1"]] {
            try refuses(
                machine, ["-C", "a"] + arguments, 64,
                "there is no attribute nosuch: `docdrive -C a attrs FILE` lists those of a file")
        }
        let undo = try machine.run("conflicts", "clean", "a", "--undo", "--yes")
        #expect(undo.error.contains(": name the folder that `conflicts clean` was given"), "\(undo.error)")
        let both = try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", "current", "--merge")
        #expect(both.code == 64 && both.error.contains("Say one way of --keep SIDE, --merge and --suggested"))
    }

    @Test func argumentsThatMakeNoSense() throws {
        let machine = try Machine()
        #expect(try machine.run("sink").code == 64)
        #expect(try machine.run("sync", "--no-such-option").code == 64)
        #expect(try machine.run("find", "--size", "large").code == 64)
        #expect(try machine.run("-C", "missing", "status").code == 64)
    }
}
