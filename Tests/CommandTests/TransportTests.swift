import Foundation
import TestSupport
import Testing

@Suite(.serialized, .mayBlock)
struct TransportTests {
    @Test func aFolderKeepsEveryPromiseAndIsLeftAsItWas() throws {
        let machine = try Machine()
        try machine.write("mine", to: "stick/Letter.txt")
        let result = try machine.run("transport", "test", "stick", "--quick")
        #expect(result.code == 0, "\(result.output)\(result.error)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 12 && lines.dropLast().allSatisfy { $0.hasPrefix("kept    ") }, "\(result.output)")
        #expect(lines.last == "A store is in good hands here: \(machine.root)/stick")
        #expect(machine.files("stick") == ["Letter.txt": "mine"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/stick") == ["Letter.txt"])
    }

    /// The first sync would make it.
    @Test func aMissingLastFolderIsTriedAndLeftMissing() throws {
        let machine = try Machine()
        try machine.write("mine", to: "stick/Letter.txt")
        let result = try machine.run("transport", "test", "stick/documents", "--quick")
        #expect(result.code == 0, "\(result.output)\(result.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/stick") == ["Letter.txt"])
    }

    @Test func programsReadTheFindings() throws {
        let machine = try Machine()
        try FileManager.default.createDirectory(atPath: "\(machine.root)/stick", withIntermediateDirectories: true)
        let result = try machine.run("transport", "test", "stick", "--quick", "--json")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.error)")
        #expect(report["isFit"] as? Bool == true && report["type"] as? String == "transport-test")
        #expect((report["findings"] as? [[String: Any]])?.allSatisfy { $0["isKept"] as? Bool == true } == true)
    }

    @Test(arguments: [
        (["transport", "test", "no/where"], 69, "the folder that the store should be made in is missing"),
        (["transport", "test", "file"], 64, "this is a file"),
        (["transport", "test", "ftp://host/x"], 64, "a store of the kind `ftp` is not known"),
        (["transport", "test", "webdav://ada:canary@host/x"], 64, "no place for a password"),
        (["sync", "a", "--bwlimit", "fast"], 64, "a rate is a number of KiB per second"),
        (["store", "login", "a"], 64, "wants no password"),
        (["-C", "a", "config", "set", "bwlimit", "0"], 64, "a rate is"),
        (["-C", "a", "config", "set", "bwlimit", "99999999999999999999G"], 64, "at least 1K, at most 900000G"),
    ])
    func whatCannotBeDoneIsSaid(_ arguments: [String], _ code: Int32, _ text: String) throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("x", to: "file")
        let result = try machine.run(arguments)
        #expect(result.code == code && result.error.contains(text), "\(result.error)")
        #expect(!result.error.contains("canary"))
    }

    @Test func whoSignsInBeforeThereIsAStoreIsToldHow() throws {
        let machine = try Machine()
        try machine.write("mine", to: "a/Letter.txt")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let login = try machine.run("store", "login", "a", "--stdin")
        #expect(login.code == 64 && login.error.contains("the drive has no store yet"), "\(login.error)")
        #expect(login.error.contains("DOCDRIVE_STORE_PASSWORD") && !login.error.contains("wants no password"))
    }

    /// What is in the trial's folder and not the trial's own keeps it from being removed.
    @Test func whatATrialLeavesIsNamed() throws {
        let machine = try Machine()
        try machine.write("mine", to: "stick/Letter.txt")
        let trial = try machine.start("transport", "test", "stick", "--quick")
        let stick = "\(machine.root)/stick"
        var left = ""
        let isPut = eventually {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: stick)) ?? []
            guard let name = names.first(where: { $0.hasPrefix("docdrive-trial-") }) else { return false }
            left = name
            return mkfifo("\(stick)/\(name)/pipe", 0o600) == 0
        }
        let result = trial.finish()
        #expect(isPut && result.code == 2, "\(result.output)\(result.error)")
        #expect(result.output.contains("lacks   what is removed leaves nothing"), "\(result.output)")
        #expect(result.output.contains("/stick/\(left) is left there; remove it"), "\(result.output)")
        #expect(result.output.contains("\nA store can be kept here: \(stick)"), "\(result.output)")
    }

    /// Who stops a transfer is told of no trouble of the store afterwards.
    @Test func whatWasStoppedIsNoTrouble() throws {
        let machine = try Machine()
        try machine.twoDrives()
        // Nothing that a compression makes small.
        let bytes = Data((0..<3_000_000).map { _ in UInt8.random(in: 0...255) })
        try bytes.write(to: URL(fileURLWithPath: "\(machine.root)/a/large"))
        let stopped = try machine.run("-C", "a", "sync", "--bwlimit", "16K", "--timeout", "1s")
        #expect(stopped.code == 3, "\(stopped.output)\(stopped.error)")
        let status = try machine.run("-C", "a", "status").output
        #expect(!status.contains("stopped") && !status.contains("left alone"), "\(status)")
        let why = try machine.run("-C", "a", "why", "large").output
        #expect(!why.contains("left alone") && why.contains("docdrive -C a sync"), "\(why)")
    }

    @Test func aRateIsKeptAndShown() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(try machine.run("-C", "a", "config", "set", "bwlimit", "2M:off").code == 0)
        #expect(try machine.run("-C", "a", "config", "get", "bwlimit").output == "2048K:off\n")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "config", "set", "bwlimit", "off").code == 0)
        #expect(try machine.run("-C", "a", "config", "get", "bwlimit").output == "off\n")
    }
}
