import TestSupport
import Testing

/// Two devices that are called the same, as machines of one image are.
@Suite(.mayBlock)
struct NamesakeTests {
    private func namesakes() throws -> Machine {
        let machine = try Machine()
        for drive in ["a", "b"] {
            try machine.write("0\n", to: "\(drive)/of-\(drive)")
            #expect(try machine.run("sync", drive, "--to", "store", "--name", "pc", "--yes").code == 0)
        }
        try machine.settle()
        return machine
    }

    @Test func doctorAndStatusTellUntilOneIsRenamed() throws {
        let machine = try namesakes()
        let sight = "another device is called pc too; `docdrive -C b device rename NAME`"
        #expect(try machine.run("-C", "b", "status").output.contains(sight))
        #expect(try machine.run("-C", "b", "status", "--json").output.contains("\"hasNamesake\" : true"))
        let told = try machine.run("-C", "b", "doctor")
        #expect(told.code == 0 && told.output.contains("another device is called pc too"), "\(told.output)")
        // Which of the two is gone only its id tells.
        let id = try #require(try machine.deviceID("a"))
        #expect(told.output.contains("device forget \(id)`"), "\(told.output)")
        #expect(try machine.run("-C", "b", "config", "set", "device-name", "laptop").code == 0)
        #expect(try machine.run("-C", "b", "doctor").output.contains("no other device is called laptop"))
        #expect(try !machine.run("-C", "b", "status").output.contains("another device"))
    }

    @Test func whoIsGoneIsNamedByIdWhereAnotherHasTheName() throws {
        let machine = try namesakes()
        let before = Set(machine.objects("head"))
        try machine.write("1\n", to: "b/of-b")
        #expect(try machine.run("sync", "b").code == 0)
        for head in machine.objects("head") where !before.contains(head) { try machine.write("?", to: head) }
        let told = try machine.run("store", "check", "a", "--repair")
        let id = try #require(try machine.deviceID("b"))
        #expect(told.code == 65 && told.output.contains("device forget \(id)`"), "\(told.output)")
        #expect(!told.output.contains("device forget pc"), "\(told.output)")
    }

    /// It has one already.
    @Test func aNameForADriveThatIsThereIsNotTaken() throws {
        let machine = try namesakes()
        let sync = try machine.run("sync", "b", "--name", "laptop")
        #expect(sync.code == 0 && sync.error.contains("goes on being called pc"), "\(sync.error)")
        #expect(try machine.run("sync", "b", "--name", "pc").error.isEmpty)
    }

    /// A machine that was set up anew, say.
    @Test func whatWasForgottenIsNoNamesake() throws {
        let machine = try namesakes()
        let devices = try machine.run("-C", "b", "device", "ls", "--jsonl").output
        let other = try #require(devices.split(separator: "\n").first { $0.contains("\"isThis\":false") })
        let id = try #require(other.firstMatch(of: /"id":"([^"]+)"/)?.output.1)
        #expect(try machine.run("-C", "b", "device", "forget", String(id)).code == 0)
        #expect(try machine.run("-C", "b", "doctor").output.contains("no other device is called pc"))
        let undo = try machine.run("-C", "b", "undo", "--device", "pc", "--yes")
        #expect(!undo.error.contains("another one have this name"), "\(undo)")
    }

    /// What both did under the one name cannot be told apart.
    @Test func whatOneDidIsNotUndoneForTheOther() throws {
        let machine = try namesakes()
        let refused = try machine.run("-C", "b", "undo", "--device", "pc", "--yes")
        #expect(refused.code == 64 && refused.error.contains("config set device-name"), "\(refused.error)")
        #expect(try machine.run("-C", "b", "config", "set", "device-name", "laptop").code == 0)
        #expect(try machine.run("-C", "b", "undo", "--device", "pc", "--yes").code == 0)
        #expect(machine.read("b/of-b") == "0\n" && machine.read("b/of-a") == nil)
    }
}

extension Machine {
    /// As the device itself tells it.
    fileprivate func deviceID(_ drive: String) throws -> String? {
        let devices = try run("-C", drive, "device", "ls", "--jsonl").output.split(separator: "\n")
        let own = devices.first { $0.contains("\"isThis\":true") }
        return own?.firstMatch(of: /"id":"([^"]+)"/).map { String($0.output.1) }
    }
}
