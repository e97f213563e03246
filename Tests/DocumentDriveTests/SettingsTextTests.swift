import DriveCore
import Testing

@testable import DocumentDrive

/// The settings file: the part of TOML that it may have, and what is refused.
struct SettingsTextTests {
    private func values(_ text: String) throws -> [String: SettingsText.Value] {
        try SettingsText(parsing: Array(text.utf8)).values
    }

    @Test(
        arguments: [
            ("", nil),
            ("\u{FEFF}key = 1", .number(1)),
            ("# all of it\n\t \r\nkey=1#end", .number(1)),
            ("key = \"a # b\" # c", .text("a # b")),
            ("key = 'C:\\new'", .text("C:\\new")),
            ("\"key\" = \"\"", .text("")),
            ("'key' = \"\\t\\\"\\\\\\u00e9\\U0001F600\"", .text("\t\"\\é😀")),
            ("key = -1_000", .number(-1000)),
            ("key = +0", .number(0)),
            ("key = true\r\n", .flag(true)),
            ("other = 1\nkey = false", .flag(false)),
        ] as [(String, SettingsText.Value?)])
    func understood(text: String, value: SettingsText.Value?) throws {
        #expect(try values(text)["key"] == value)
    }

    @Test(arguments: [
        ("store = = broken", 1), ("\n\nkey", 3), ("key =", 1), ("= 1", 1), ("é = 1", 1), ("[store]", 1), ("[é]", 1),
        ("a = 1\na = 2", 2), ("a = 1 b = 2", 1), ("a.b = 1", 1), ("a = 1.5", 1), ("a = 01", 1), ("a = 1__0", 1),
        ("a = 0x10", 1), ("a = 99999999999999999999", 1), ("a = 2026-01-01T;", 1), ("a = [1]", 1), ("a = {b = 1}", 1),
        ("a = \"b", 1), ("a = 'b", 1), ("a = \"\"\"b\"\"\"", 1), ("a = '''b'''", 1), ("a = \"\\x\"", 1),
        ("a = \"\\uD800\"", 1), ("a = \"\\u00e\"", 1), ("a = \"\\U00110000\"", 1), ("a = \"\u{1}\"", 1),
        ("a = \"b\rc\"", 1), ("a = True", 1), ("\n\"", 2),
    ])
    func refusedWithItsLine(text: String, line: Int) {
        let failure = #expect(throws: SettingsText.Failure.self) { try values(text) }
        #expect(failure?.line == line)
    }

    @Test func bytesThatAreNoTextAreRefusedWithTheirLine() {
        let failure = #expect(throws: SettingsText.Failure.self) {
            try SettingsText(parsing: Array("a = 1\nb = \"".utf8) + [0xFF, 0x22, 0x0A])
        }
        #expect(failure?.line == 2)
    }

    @Test func whatIsQuotedIsReadBack() throws {
        let all = String(String.UnicodeScalarView((0...0x2FF).compactMap { Unicode.Scalar(UInt32($0)) })) + "😀'''\"\"\""
        #expect(try values("key = \(SettingsText.quoted(all))")["key"] == .text(all))
    }
}

struct DriveSettingsTests {
    private func settings(_ text: String) throws -> DriveSettings { try DriveSettings(parsing: Array(text.utf8)) }

    @Test func whatIsWrittenIsReadBack() throws {
        let settings = DriveSettings(
            store: try StoreAddress(Array("/srv/a b\"\\é".utf8)), storeID: "abc", deviceName: "Büro \"2\"")
        #expect(try DriveSettings(parsing: settings.written()) == settings)
    }

    @Test func aValueOfAnotherKindIsAnErrorRatherThanLeftOut() {
        #expect(throws: DriveError.self) { try settings("store = 3") }
        #expect(throws: DriveError.self) { try settings("version = \"1\"") }
        #expect(throws: DriveError.self) { try settings("device-name = true") }
    }

    /// Whoever runs the program stands somewhere else each time, and a service in `/`.
    @Test func aStoreThatPeopleWroteIsBeneathTheDrive() throws {
        let drive = FolderPath("/srv/papers")
        func store(_ text: String) throws -> StoreAddress? {
            try DriveSettings(parsing: Array("store = \"\(text)\"".utf8), of: drive).store
        }
        #expect(try store("nas/docs") == .folder(FolderPath("/srv/papers/nas/docs")))
        #expect(try store("./nas:docs") == .folder(FolderPath("/srv/papers/nas:docs")))
        #expect(try store("../nas") == .folder(FolderPath("/srv/nas")))
        #expect(try store("/mnt/nas") == .folder(FolderPath("/mnt/nas")))
        #expect(try store("file:///mnt/nas") == .folder(FolderPath("/mnt/nas")))
        let home = try #require(FolderPath.home)
        #expect(try store("~/nas") == .folder(home.appending("nas")) && store("~") == .folder(home))
        #expect(try store("./~/nas") == .folder(FolderPath("/srv/papers/~/nas")))
        #expect(try store("~ada/nas") == .folder(FolderPath("/srv/papers/~ada/nas")))
        for (written, read) in [("own/ca.pem", "/srv/papers/own/ca.pem"), ("/etc/ca.pem", "/etc/ca.pem")] {
            guard case .remote(let url) = try store("webdavs://nas/store?ca=\(written)") else {
                Issue.record("it is a URL: \(written)")
                continue
            }
            #expect(url.options["ca"] == read)
        }
        let error = #expect(throws: DriveError.self) { try store("nas:docs") }
        #expect(error?.kind == .usage)
        // It stays as it was written, also where another setting is changed.
        let old = Array("store = \"../nas\"\n".utf8)
        var settings = try DriveSettings(parsing: old, of: drive)
        settings.scrubDays = 7
        let new = try settings.written(over: old, of: drive)
        #expect(String(decoding: new, as: UTF8.self).hasPrefix("store = \"../nas\"\n"))
        #expect(try DriveSettings(parsing: new, of: drive) == settings)
    }

    @Test func aNewerDriveIsRefused() {
        let error = #expect(throws: DriveError.self) { try settings("version = 2") }
        #expect(error?.kind == .newerFormat)
    }

    @Test func unknownKeysAreLeftAlone() throws {
        #expect(try settings("colour = \"blue\"\ndevice-name = \"pc\"").deviceName == "pc")
    }

    private static let written = """
        # mine
        colour = 'blue'  # nobody knows it
        \tbwlimit="2M:off" # at home
        device-name = 'pc'\r
        "store" = "/srv/one" # old
        scrub-days = 3_0
        """

    private func changed(_ change: (inout DriveSettings) throws -> Void) throws -> String {
        let old = Array(Self.written.utf8)
        var settings = try DriveSettings(parsing: old)
        try change(&settings)
        let new = try settings.written(over: old)
        #expect(try DriveSettings(parsing: new) == settings)
        return String(decoding: new, as: UTF8.self)
    }

    @Test func whatPeopleHaveWrittenStays() throws {
        #expect(try changed { _ in } == Self.written + "\nversion = 1\n")
        let all = try changed { settings in
            settings.deviceName = "my \"pc\""
            settings.store = try StoreAddress(Array("/srv/two".utf8))
            settings.storeID = "abc"
            settings.scrubDays = 7
            settings.bandwidth = nil
        }
        #expect(
            all == """
                # mine
                colour = 'blue'  # nobody knows it
                \tbwlimit="off" # at home
                device-name = "my \\"pc\\""\r
                "store" = "/srv/two" # old
                scrub-days = 7
                version = 1
                store-id = "abc"

                """)
        let gone = try changed { $0.store = nil }
        #expect(!gone.contains("store") && gone.contains("# mine\n"), "\(gone)")
    }

    /// A byte order mark in front, and lines as Windows ends them.
    @Test func whatAnEditorAddsStays() throws {
        let old = Array("\u{FEFF}version = 1\r\ndevice-name = \"pc\"\r\n".utf8)
        var settings = try DriveSettings(parsing: old)
        settings.scrubDays = 7
        let new = try settings.written(over: old)
        #expect(
            String(decoding: new, as: UTF8.self).unicodeScalars.elementsEqual(
                "\u{FEFF}version = 1\r\ndevice-name = \"pc\"\r\nscrub-days = 7\r\n".unicodeScalars))
        #expect(try DriveSettings(parsing: new) == settings)
    }

    @Test func whatCannotBeReadIsNotWrittenOver() throws {
        #expect(throws: DriveError.self) { try DriveSettings(deviceName: "a").written(over: Array("store = 3".utf8)) }
        #expect(throws: DriveError.self) { try DriveSettings(deviceName: "a").written(over: Array("[a]".utf8)) }
    }
}
