import DriveCore
import Testing

@Suite struct StoreURLTests {
    @Test(arguments: [
        ("s3://letters", StoreURL(.s3, host: "letters")),
        (
            "s3://letters/ada/thesis?endpoint=http://127.0.0.1:5620&region=eu-1",
            StoreURL(
                .s3, host: "letters", path: "ada/thesis",
                options: ["endpoint": "http://127.0.0.1:5620", "region": "eu-1"])
        ),
        (
            "webdavs://ada@cloud.example:8443/remote.php/dav/files/ada/Drive",
            StoreURL(.webdavs, user: "ada", host: "cloud.example", port: 8443, path: "remote.php/dav/files/ada/Drive")
        ),
        ("webdav://[fe80::1]:80/a%20b", StoreURL(.webdav, host: "fe80::1", port: 80, path: "a b")),
        ("sftp://ada%40work@nas/~/drive", StoreURL(.sftp, user: "ada@work", host: "nas", path: "~/drive")),
        ("sftp://nas/%C3%BCber", StoreURL(.sftp, host: "nas", path: "über")),
        // A mark that would combine with the slash, or the sign, before it.
        ("sftp://nas/%CC%81/\u{301}x", StoreURL(.sftp, host: "nas", path: "\u{301}/\u{301}x")),
        (
            "s3://b?\u{301}=\u{301}&\u{301}x=1",
            StoreURL(.s3, host: "b", options: ["\u{301}": "\u{301}", "\u{301}x": "1"])
        ),
    ])
    func anAddressIsReadAndWritten(_ text: String, _ url: StoreURL) throws {
        #expect(try StoreURL(text) == url)
        #expect(try StoreURL(url.text) == url)
    }

    @Test func whatIsWrittenDifferentlyReadsAsTheSame() throws {
        #expect(try StoreURL("SFTP://NAS//srv///drive/").text == "sftp://nas/srv/drive")
        #expect(try StoreURL("webdav://h:80?ca=%2Fetc%2Fca.pem").options == ["ca": "/etc/ca.pem"])
    }

    @Test(arguments: [
        "nas/drive", "ftp://nas/drive", "sftp://", "sftp:///drive", "sftp://-oProxyCommand=x/drive",
        "sftp://na s/drive", "webdav://h:0/", "webdav://h:65536/", "webdav://h:x/", "sftp://nas/a/../b",
        "sftp://nas/a%2Fb", "sftp://nas/%2e%2e/b", "sftp://nas/a%0Ab", "sftp://nas/a%00", "sftp://nas/%zz",
        "sftp://nas/%ff", "sftp://nas/%2F%CC%81", "sftp://nas/../\u{301}", "sftp://nas/..%2F%CC%81", "sftp://nas/%+1",
        "webdav://h:+1/", "webdav://h:80\u{301}/", "webdav://h\u{301}/", "s3://b/x#\u{301}", "s3://b?x",
        "s3://b?x=1&x=2", "s3://b/x#y", "webdav://[::1/",
    ])
    func whatIsNoneIsRefused(_ text: String) {
        #expect(throws: DriveError.self) { try StoreURL(text) }
    }

    @Test(arguments: [
        "webdav://ada:canary@h/x", "webdav://ada:canary@h:0", "ftp://ada:canary@h", "webdav://a:canary@h/#",
        "webdav://ada:\u{301}canary@h/x", "webdav://ada:canary@\u{301}h/x",
        "webdav://ada:x/canary@h/x", "webdav://ada:x/can@canary@h", "webdav://ada:x#canary@h",
        "webdav://ada:x?canary@h", "webdav://ada:1?canary@h", "webdav:/ada:canary@h",
        "s3://b:0?secret=canary", "s3://b?secret=canary#", "s3://b:0?endpoint=https://a:canary@h&x=canary",
    ])
    func aPasswordIsRefusedAndNotRepeated(_ text: String) throws {
        let error = #expect(throws: DriveError.self) { try StoreURL(text) }
        #expect(error?.kind == .usage && error?.description.contains("canary") == false)
    }

    @Test func optionsThatAreNotKnownAreNamed() throws {
        let url = try StoreURL("s3://b?endpont=http://h")
        let error = #expect(throws: DriveError.self) { try url.checkOptions(["endpoint", "region"]) }
        #expect(error?.message.contains("`endpont`") == true && error?.message.contains("endpoint, region") == true)
    }

    @Test(arguments: [
        "s3://b?secret=canary", "s3://b?endpoint=https://h&passw%6Frd=canary", "s3://b?x=1&endpoint=https://a:canary@h",
    ])
    func whatAnOptionThatIsNotKnownHoldsIsNotRepeated(_ text: String) throws {
        let url = try StoreURL(text)
        let error = #expect(throws: DriveError.self) { try url.checkOptions(["endpoint"]) }
        #expect(error?.description.contains("canary") == false && error?.description.contains("=...") == true)
        #expect(!url.shown.contains("canary") && url.shown.contains("=..."))
    }

    @Test func whatIsPossibleIsShownAsItIs() throws {
        for text in [
            "s3://b/x?endpoint=https://h:9000&region=eu", "webdavs://ada@h/x?ca=/etc/ca.pem", "sftp://nas/~/x",
        ] {
            let url = try StoreURL(text)
            #expect(url.shown == url.text)
        }
    }

    @Test func secretsAreNeverPrinted() {
        let credentials = StoreCredentials(user: "ada", secret: Secret("canary"), token: Secret("canary"))
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(!"\(credentials) \(String(reflecting: credentials))\(dumped)".contains("canary"))
    }
}
