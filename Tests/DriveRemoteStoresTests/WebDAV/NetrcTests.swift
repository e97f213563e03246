import DriveCore
import Testing

@testable import DriveRemoteStores

struct NetrcTests {
    private func password(_ text: String, _ host: String, _ user: String? = nil) -> String? {
        Netrc(text).credentials(host: host, user: user).map { "\($0.user):\($0.secret.text)" }
    }

    @Test func theFirstEntryThatFitsCounts() {
        let text = """
            # at work
            machine one.example login ann password a1
            machine two.example
              login bob
              password b#2
            machine one.example login carl password c3
            default login all password d4
            """
        #expect(password(text, "one.example") == "ann:a1")
        #expect(password(text, "ONE.example") == "ann:a1")
        #expect(password(text, "one.example", "carl") == "carl:c3")
        #expect(password(text, "two.example") == "bob:b#2")
        #expect(password(text, "three.example") == "all:d4")
        #expect(password(text, "two.example", "eve") == nil)
    }

    @Test func anEntryMayHoldForEveryUser() {
        #expect(password("machine h password p", "h", "ann") == "ann:p")
        #expect(password("machine h password p", "h") == nil)
    }

    @Test func passwordsMayBeginWithAHash() {
        #expect(password("machine h login u password #p\n#machine h\n", "h") == "u:#p")
    }

    @Test func wordsMayBeQuoted() {
        #expect(password(#"machine h login "a b" password "p\"q\\r\ts""#, "h") == "a b:p\"q\\r\ts")
        #expect(password(#"machine h login u password "open"#, "h") == "u:open")
    }

    @Test func macrosAndAccountsAreSkipped() {
        let text =
            "machine g login u password p account x\nmacdef init\nmachine h login m password m\n\nmachine h login u password q"
        #expect(password(text, "h") == "u:q")
        #expect(password(text, "g") == "u:p")
    }

    @Test func whatIsCutDoesNoHarm() {
        let text = "machine h login u password p macdef x \"y"
        for length in 0...text.count { _ = password(String(text.prefix(length)), "h") }
        #expect(password("login u password p", "h") == nil)
    }
}
