@testable import DriveCore
@testable import DriveRemoteStores

extension FuzzTarget {
    /// What an SFTP server, or who claims to be one, sends over the wire.
    static let sftpAnswers = FuzzTarget(name: "sftp-answers", run: ServerAnswers.sftp, seeds: ServerAnswers.sftpSeeds)
    /// Lists and refusals of WebDAV and S3, and what people's other programs keep of credentials.
    static let httpAnswers = FuzzTarget(name: "http-answers", run: ServerAnswers.http, seeds: ServerAnswers.httpSeeds)
}

private enum ServerAnswers {
    static func sftp(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        var framing = SFTPFraming()
        while !input.isAtEnd {
            framing.add(input.bytes())
            while let packet = try? framing.next() {
                guard let (_, reply) = try? SFTPReply.read(packet[...]) else { return }
                if case .names(let names) = reply {
                    try require(names.count <= packet.count, "names come from bytes")
                }
            }
        }
    }

    static func http(_ bytes: [UInt8]) throws {
        if let resources = try? MultiStatusParser.resources(bytes) {
            let found = DAVCollection(at: Array("/dav/store".utf8), resources)
            for member in found?.members ?? [] {
                try require(!member.name.isEmpty && !member.name.contains(0x2F), "a member is a name")
            }
        }
        _ = S3XMLParser.parse(bytes).flatMap { S3List($0) }
        let text = String(decoding: bytes, as: UTF8.self)
        _ = HTTPDate.seconds(text)
        _ = Netrc(text).credentials(host: "nas", user: nil)
        _ = S3Profile.sections(text)
    }

    static func sftpSeeds() throws -> [[UInt8]] {
        let requests: [SFTPRequest] = [.look(path: [0x61]), .read(handle: [1], offset: 5, count: 7), .limits]
        let packets =
            requests.map { $0.packet(id: 7) } + [
                [0, 0, 0, 9, 101, 0, 0, 0, 1, 0, 0, 0, 0],
                [0, 0, 0, 12, 103, 0, 0, 0, 1, 0, 0, 0, 3, 1, 2, 3],
                [0, 0, 0, 17, 104, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0x61, 0, 0, 0, 0],
            ]
        return packets.map { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
    }

    static func httpSeeds() throws -> [[UInt8]] {
        [
            """
            <?xml version="1.0"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/store/a%20b/</D:href><D:propstat>\
            <D:prop><D:resourcetype><D:collection/></D:resourcetype><D:getcontentlength>12</D:getcontentlength></D:prop>\
            <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
            """,
            """
            <ListBucketResult><IsTruncated>true</IsTruncated><EncodingType>url</EncodingType><NextContinuationToken>x\
            </NextContinuationToken><Contents><Key>a%2Fb</Key><Size>5</Size></Contents></ListBucketResult>
            """,
            "<Error><Code>SlowDown</Code><Message>later</Message></Error>", "Sun, 06 Nov 1994 08:49:37 GMT", "120",
            "machine nas login ada password \"a b\"\nmacdef x\n\ndefault login anonymous\n",
            "[profile x]\naws_access_key_id = A\naws_secret_access_key = B\n",
        ].map { Array($0.utf8) }
    }
}
