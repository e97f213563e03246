import Foundation
import TestSupport
import Testing

/// A store that takes and gives everything, and lets nothing be removed, as one of an append-only server.
@Suite(.mayBlock, .enabled(if: SFTPProgram.isPossible, "install openssh-sftp-server"))
struct GrowingStoreTests {
    private let program: SFTPProgram
    private let machine: Machine

    init() throws {
        program = try SFTPProgram(options: "-P remove,rmdir")
        machine = try Machine(variables: ["DOCDRIVE_SSH": program.path])
    }

    @Test func theTrialSaysWhatWorksThereAndWhatDoesNot() throws {
        try FileManager.default.createDirectory(atPath: "\(machine.root)/nas", withIntermediateDirectories: false)
        let place = "sftp://nas\(machine.root)/nas"
        let result = try machine.run("transport", "test", place, "--quick")
        #expect(result.code == 2 && !result.output.contains("BROKEN"), "\(result)")
        let lacking = result.output.split(separator: "\n").filter { $0.hasPrefix("lacks   ") }
        #expect(lacking.count == 2, "\(result.output)")
        #expect(lacking.first?.hasPrefix("lacks   a deleted object is gone") == true, "\(result.output)")
        #expect(lacking.last?.hasSuffix("is left there; remove it)") == true, "\(result.output)")
        #expect(result.output.contains("\nA store can be kept here, and devices sync: \(place). "), "\(result.output)")
        #expect(result.output.contains("`docdrive store gc` removes nothing"), "\(result.output)")
    }

    @Test func programsReadThatItIsFit() throws {
        try FileManager.default.createDirectory(atPath: "\(machine.root)/nas", withIntermediateDirectories: false)
        let result = try machine.run("transport", "test", "sftp://nas\(machine.root)/nas", "--quick", "--json")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.error)")
        #expect(result.code == 2 && report["isFit"] as? Bool == true, "\(result)")
        let findings = try #require(report["findings"] as? [[String: Any]])
        let broken = findings.filter { $0["isKept"] as? Bool == false }
        #expect(broken.map { $0["isNeeded"] as? Bool } == [false, false], "\(result.output)")
    }

    /// What the trial says of it.
    @Test func devicesSyncOverIt() throws {
        try machine.write("0", to: "a/Letter.txt")
        for folder in ["a", "b"] {
            let joined = try machine.run("sync", folder, "--to", "sftp://nas\(machine.root)/store", "--yes")
            #expect(joined.code == 0, "\(joined.error)")
        }
        for number in 1...4 {
            try machine.write("\(number)", to: "a/Letter.txt")
            for folder in ["a", "b"] {
                let synced = try machine.run("sync", folder)
                #expect(synced.code == 0, "\(synced.error)")
            }
            #expect(machine.read("b/Letter.txt") == "\(number)")
        }
    }
}
