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

    /// Lines of one and the next: what comes behind them is a word again.
    @Test(arguments: ["Password hunter", "clickhere", "Afterword"])
    func whatComesBehindARunStays(words: String) throws {
        for run in [lines(base64(1_920), of: 64), base64(2_000), lines(base64(1_901) + "==", of: 76)] {
            for separator in ["\n", " "] {
                let text = try #require(try imported("key\n\(run)\(separator)\(words)", named: "a.txt").text)
                #expect(text.hasSuffix(words) && text.count < 100, "\(text)")
            }
        }
    }

    /// What people may look for stays: short tokens, hashes, genes, paths, numbers, and prose without spaces.
    @Test func whatIsNotEncodedStays() throws {
        let words = String(repeating: "donaudampfschiffahrtsgesellschaft", count: 60)
        for text in [
            base64(1_000), String(repeating: "0123456789abcdef", count: 200), lines(base64(3_000), of: 44),
            lines(String(repeating: "GATTACA", count: 500), of: 70), words,
            String(repeating: "/Folder/inner-part_2", count: 100), String(repeating: "1234567890", count: 300),
            (0..<2_000).map { "Word\($0)" }.joined(separator: " "),
            // Names of files and folders, and hashes, a line each.
            (10..<40).map { "20\($0)-Q3-Board-Meeting-Minutes-Zurich-Office-Version-2-Signed-9XKJ" }
                .joined(separator: "\n"),
            (10..<40).map { "Photos/20\($0)/20\($0)-02-Trip-To-Kyoto/Best-Of-Selection/JPG-Export-QVWY" }
                .joined(separator: "\n"),
            lines(base64(2_000), of: 88),
        ] {
            #expect(try imported(text, named: "a.txt").text == text)
        }
    }

    @Test func aRunOnEitherSideOfTheLeastLengthIsToldApart() {
        let run = base64(EncodedRuns.shortest)
        #expect(EncodedRuns.removed(from: Array("?Response=\(run)==&x".utf8)) == Array("?Response= &x".utf8))
        #expect(EncodedRuns.removed(from: Array("a: \(run)".utf8)) == Array("a: ".utf8))
        #expect(EncodedRuns.removed(from: Array("a:\(run).".utf8)) == Array("a: .".utf8))
        #expect(EncodedRuns.removed(from: Array("a: \(run.dropFirst())".utf8)).count == run.count + 2)
        #expect(EncodedRuns.removed(from: []).isEmpty)
    }
}
