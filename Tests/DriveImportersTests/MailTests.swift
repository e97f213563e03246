import Testing

@testable import DriveImporters
@testable import DriveImporting

/// Messages as mail programs write them.
@Suite struct MailTests {
    private let letter = """
        Return-Path: <juergen@example.org>
        From: =?UTF-8?Q?J=C3=BCrgen_M=C3=BCller?= <juergen@example.org>
        To: Ada <ada@example.org>, ben@example.org
        Cc: Friends: Zoë <zoe@example.org>, dan@example.org;
        Subject: =?ISO-8859-1?B?R3L832U=?= aus
         =?UTF-8?Q?M=C3=BCnchen?=
        Date: Fri, 27 Nov 2026 10:00:00 +0100
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary="outer"

        A preamble that nobody sees.
        --outer
        Content-Type: multipart/alternative; boundary="inner"

        --inner
        Content-Type: text/plain; charset=ISO-8859-1
        Content-Transfer-Encoding: quoted-printable

        Die Rechnung f=FCr den Umzug=
         liegt bei.
        --inner
        Content-Type: text/html; charset=utf-8
        Content-Transfer-Encoding: base64

        PGh0bWw+PG1ldGEgY2hhcnNldD1pc28tODg1OS0xPjxzdHlsZT54PC9zdHlsZT48cD5BbGxlcyBmw7xyIDxiPjk5wqDigqw8L2I+PC9odG1sPg==
        --inner--
        --outer
        Content-Type: application/pdf; name="x.pdf"
        Content-Disposition: attachment; filename*=UTF-8''Rechnung%20%E2%82%AC.pdf
        Content-Transfer-Encoding: base64

        JVBERi0xLjQK
        --outer
        Content-Type: message/rfc822

        From: Eve <eve@example.org>
        Subject: The older one
        Content-Type: text/plain

        was forwarded
        --outer--

        """

    @Test(arguments: ["Letter.eml", "1764234000.M20P7.host:2,S", "cur"])
    func aMessageIsReadAsPeopleSeeIt(name: String) throws {
        let found = try imported(letter, named: name)
        #expect(found.string(.contentType) == "public.email-message")
        #expect(found.string(.title) == "Grüße aus München")
        #expect(found.strings(.authors) == ["Jürgen Müller"])
        #expect(found.strings(.authorEmailAddresses) == ["juergen@example.org"])
        #expect(found.strings(.recipients) == ["Ada", "ben@example.org", "Zoë", "dan@example.org"])
        #expect(
            found.strings(.recipientEmailAddresses)
                == ["ada@example.org", "ben@example.org", "zoe@example.org", "dan@example.org"])
        #expect(found.date(.contentCreationDate) == ImportedDate(seconds: 1_795_770_000, nanoseconds: 0))
        let lines = try #require(found.text).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "Grüße aus München", "Jürgen Müller <juergen@example.org>", "Ada <ada@example.org>", "ben@example.org",
                "Zoë <zoe@example.org>", "dan@example.org", "Die Rechnung für den Umzug liegt bei.",
                "Alles für 99\u{A0}€", "Rechnung €.pdf", "The older one", "Eve <eve@example.org>", "was forwarded",
            ])
    }

    @Test func linesMayEndAsOnTheWire() throws {
        let found = try imported(letter.replacing("\n", with: "\r\n"), named: "a.eml")
        #expect(found.string(.title) == "Grüße aus München")
        #expect(found.text?.contains("Umzug liegt bei.\n") == true)
    }

    /// Seven bits that would be UTF-8, and eight that nobody names.
    @Test func charactersAreWhatTheHeadSays() throws {
        let japanese = "Subject: a\nContent-Type: text/plain; charset=iso-2022-jp\n\n\u{1B}$B$\"\u{1B}(B\n"
        #expect(try imported(japanese, named: "a.eml").text == "a\nあ")
        let head = Array("From: a@x\nSubject: f".utf8)
        let nameless = head + [0xFC] + Array("r\n\nsch".utf8) + [0xF6] + Array("n und gro".utf8) + [0xDF]
        let found = try imported(nameless, named: "a.eml")
        #expect(found.string(.title) == "für")
        #expect(found.text?.hasSuffix("schön und groß") == true)
        let unknown = "Subject: a\nContent-Type: text/plain; charset=\"/etc/x\"\n\nfür\n"
        #expect(try imported(unknown, named: "a.eml").text == "a\nfür")
    }

    /// The head of the part counts first, and says nothing where it names no more than ASCII.
    @Test(arguments: ["", "; charset=us-ascii"]) func aPartOfHTMLMayNameItsCharactersItself(parameter: String) throws {
        let head = "Subject: a\nContent-Type: text/html\(parameter)\n\n<meta charset=macintosh><p>caf"
        #expect(try imported(Array(head.utf8) + [0x8E], named: "a.eml").text == "a\ncafé")
        let other = "Subject: a\nContent-Type: text/html; charset=koi8-r\n\n<meta charset=windows-1251><p>"
        #expect(try imported(Array(other.utf8) + [0xE4, 0xC1], named: "a.eml").text == "a\nДа")
    }

    @Test(arguments: ["a.mbox", "inbox"]) func anMboxIsTheTextOfAllItsMessages(name: String) throws {
        let box = """
            From ada@example.org Fri Nov 27 10:00:00 2026
            From: Ada <ada@example.org>
            Date: Fri, 27 Nov 2026 10:00:00 +0100
            Subject: One
            Content-Transfer-Encoding: base64

            c2VjcmV0IHdvcmQ=

            From ben@example.org Fri Nov 27 11:00:00 2026
            From: Ben <ben@example.org>
            Date: Fri, 27 Nov 2026 11:00:00 +0100
            Subject: Two

            other words

            """
        let found = try imported(box, named: name)
        #expect(found.string(.contentType) == "public.mbox")
        #expect(found.string(.title) == nil && found.strings(.authors) == nil)
        #expect(
            found.text?.split(separator: "\n") == [
                "One", "Ada <ada@example.org>", "secret word", "Two", "Ben <ben@example.org>", "other words",
            ])
    }

    /// As mailboxes quote what would begin a message; base64 has lines that they do not see.
    @Test func linesOfAnMboxAreAsTheyWereWritten() throws {
        let box = """
            From ada@example.org Fri Nov 27 10:00:00 2026
            From: ada@example.org
            Date: Fri, 27 Nov 2026 10:00:00 +0100
            Subject: One

            >From here on
            >>From there
            > From a reply
            >Fromage

            From ben@example.org Fri Nov 27 11:00:00 2026
            From: ben@example.org
            Date: Fri, 27 Nov 2026 11:00:00 +0100
            Subject: Two
            Content-Transfer-Encoding: base64

            PkZyb20gYWZhcg==

            """
        let text = try #require(try imported(box, named: "a.mbox").text)
        #expect(
            text.split(separator: "\n") == [
                "One", "ada@example.org", "From here on", ">From there", "> From a reply", ">Fromage", "Two",
                "ben@example.org", ">From afar",
            ])
        let message = "Subject: a\n\n>From here on\n"
        #expect(try imported(message, named: "a.eml").text == "a\n>From here on")
        #expect(MailboxQuoting.unquoted(Array(">>".utf8)) == Array(">>".utf8))
        #expect(MailboxQuoting.unquoted(Array("\n>From x".utf8)) == Array("\nFrom x".utf8))
    }

    @Test func whatIsNoMessageIsText() throws {
        #expect(try imported("Dear Ada,\n\nnotes to myself\n", named: "a.eml").text == "Dear Ada,\nnotes to myself")
        // Two fields make a head; one is a line of anything.
        let note = "From: somebody\n\na note\n"
        #expect(try imported(note, named: "note").string(.contentType) == "public.plain-text")
        #expect(refusal([UInt8](repeating: 1, count: 100), named: "a.eml") == .malformed)
        #expect(try imported([], named: "a.eml").text == nil)
    }

    @Test func longPartsAreCut() throws {
        var limits = ImportLimits()
        limits.textBytes = 1000
        let long = "Subject: a\nContent-Type: text/plain\n\n" + String(repeating: "müde ", count: 1000)
        let found = try imported(long, named: "a.eml", limits: limits)
        #expect(found.isTextCut && (990...1000).contains(found.text?.utf8.count ?? 0))
    }

    /// Parts in parts, without end.
    @Test func depthIsBounded() throws {
        let nested = String(repeating: "Content-Type: message/rfc822\n\n", count: 5_000) + "Subject: deep\n\nx\n"
        #expect(try imported("From: a@x\n" + nested, named: "a.eml").text?.hasPrefix("a@x") == true)
        var multipart = "From: a@x\n"
        for depth in 0..<2_000 {
            multipart += "Content-Type: multipart/mixed; boundary=b\(depth)\n\n--b\(depth)\n"
        }
        #expect(try imported(multipart + "\nend\n", named: "a.eml").text?.hasPrefix("a@x") == true)
    }

    @Test func damagedMessagesAreReadAsFarAsTheyGo() throws {
        let bytes = Array(letter.utf8)
        var noise = Noise(11)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            _ = refusal(Array(bytes.prefix(length)), named: "a.eml")
            var changed = bytes
            for _ in 0..<5 {
                changed[Int(noise.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: noise.next())
            }
            _ = refusal(changed, named: "a.eml")
            _ = refusal(changed, named: "a.mbox")
        }
    }
}
