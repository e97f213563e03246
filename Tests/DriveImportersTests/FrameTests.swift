import Testing

@testable import DriveImporters
@testable import DriveImporting

@Suite struct FrameTests {
    private let metadata = ImportedMetadata(
        attributes: [
            AttributeName.title.rawValue: .string("Ä"), AttributeName.numberOfPages.rawValue: .integer(-3),
            AttributeName.duration.rawValue: .real(2.5),
            AttributeName.contentCreationDate.rawValue: .date(ImportedDate(seconds: -1, nanoseconds: 999_999_999)),
            AttributeName.keywords.rawValue: .strings(["a", ""]),
        ], text: "words", isTextCut: true)

    private var request: ImportRequest {
        var limits = ImportLimits()
        limits.depth = 7
        return ImportRequest(
            number: 9, path: [0x2F, 0xFF, 0x0A], mime: "a/b", limits: limits,
            tools: ImportTools(pdfInfo: "/x", pdfToText: nil), lifeSeconds: 25)
    }

    @Test func requestsAndRepliesComeBackAsTheyWere() throws {
        #expect(try ImportRequest(request.encoded) == request)
        for result in [.success(metadata), .success(ImportedMetadata()), .failure(ImportFailure(.encrypted, "why"))]
            as [Result<ImportedMetadata, ImportFailure>]
        {
            let reply = ImportReply(number: 5, result: result)
            #expect(try ImportReply(reply.encoded) == reply)
        }
    }

    @Test func whatIsCutOffOrLongerIsRefused() {
        let reply = ImportReply(number: 5, result: .success(metadata)).encoded
        for length in 0..<reply.count {
            #expect(throws: FrameBreach.self) { try ImportReply(Array(reply.prefix(length))) }
        }
        #expect(throws: FrameBreach.self) { try ImportReply(reply + [0]) }
        for length in 0..<request.encoded.count {
            #expect(throws: FrameBreach.self) { try ImportRequest(Array(request.encoded.prefix(length))) }
        }
    }

    @Test func aWorkerCannotSayWhatNoImporterSays() {
        func reply(_ change: (inout ImportedMetadata) -> Void) -> [UInt8] {
            var metadata = ImportedMetadata()
            change(&metadata)
            return ImportReply(number: 1, result: .success(metadata)).encoded
        }
        #expect(throws: FrameBreach.self) { try ImportReply(reply { $0.attributes["kMDItemPath"] = .string("/") }) }
        #expect(throws: FrameBreach.self) { try ImportReply(reply { $0[.duration] = .real(.nan) }) }
        #expect(throws: FrameBreach.self) {
            try ImportReply(reply { $0[.recordingDate] = .date(ImportedDate(seconds: 0, nanoseconds: -1)) })
        }
        #expect(throws: FrameBreach.self) {
            try ImportReply(reply { $0[.keywords] = .strings([String](repeating: "a", count: 10_000)) })
        }
    }

    @Test func noBytesTrap() {
        var noise = Noise(3)
        let valid = ImportReply(number: 5, result: .success(metadata)).encoded
        for _ in 0..<2000 {
            var bytes = valid
            bytes[Int(noise.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: noise.next())
            _ = try? ImportReply(bytes)
            _ = try? ImportRequest(bytes)
        }
    }
}
