import Testing

@testable import DriveImporters
@testable import DriveImporting

/// Pictures and keys in texts are no words.
@Suite struct EncodedRunTests {
    private func base64(_ count: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var noise = Noise(7)
        return String((0..<count).map { _ in alphabet[Int(noise.next() % 64)] })
    }

    private func lines(_ text: String, of width: Int) -> String {
        stride(from: 0, to: text.count, by: width)
            .map { String(text.dropFirst($0).prefix(width)) }.joined(separator: "\n")
    }

    @Test func aPictureInANotebookIsLeftOut() throws {
        let notebook = #"{"image/png":"\#(base64(30_000))==","text":"grün und gut"}"#
        #expect(try imported(notebook, named: "a.txt").text == #"{"image/png":" ","text":"grün und gut"}"#)
    }

    @Test(arguments: [64, 76])
    func aKeyInLinesIsLeftOut(width: Int) throws {
        let key = "-----BEGIN KEY-----\n\(lines(base64(1_700), of: width))\n-----END KEY-----\nbehind it\n"
        let text = try #require(try imported(key, named: "a.txt").text)
        #expect(text.count < 100, "\(text)")
        #expect(text.hasPrefix("-----BEGIN KEY") && text.hasSuffix("behind it"), "\(text)")
    }

    /// What people may look for stays: short tokens, hashes, genes, paths, numbers, and prose without spaces.
    @Test func whatIsNotEncodedStays() throws {
        let words = String(repeating: "donaudampfschiffahrtsgesellschaft", count: 60)
        for text in [
            base64(1_000), String(repeating: "0123456789abcdef", count: 200), lines(base64(3_000), of: 44),
            lines(String(repeating: "GATTACA", count: 500), of: 70), words,
            String(repeating: "/Folder/inner-part_2", count: 100), String(repeating: "1234567890", count: 300),
            (0..<2_000).map { "Word\($0)" }.joined(separator: " "),
        ] {
            #expect(try imported(text, named: "a.txt").text == text)
        }
    }

    @Test func aRunOnEitherSideOfTheLeastLengthIsToldApart() {
        let run = base64(EncodedRuns.shortest)
        #expect(EncodedRuns.removed(from: Array("a: \(run)".utf8)) == Array("a: ".utf8))
        #expect(EncodedRuns.removed(from: Array("a:\(run).".utf8)) == Array("a: .".utf8))
        #expect(EncodedRuns.removed(from: Array("a: \(run.dropFirst())".utf8)).count == run.count + 2)
        #expect(EncodedRuns.removed(from: []).isEmpty)
    }
}
