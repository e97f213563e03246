import Testing

@testable import DriveCore

struct DrivePathTests {
    @Test(arguments: [
        ("", []), ("/", []), (".", []), ("./.", []), ("a", ["a"]), ("a/b", ["a", "b"]), ("//a///b//", ["a", "b"]),
        ("./a/./b/.", ["a", "b"]), ("..", [".."]), ("a/../b", ["a", "..", "b"]), (".a/b.", [".a", "b."]),
        ("...", ["..."]), ("/a/b", ["a", "b"]),
    ])
    func aPathIsPartedAtSlashes(_ text: String, _ names: [String]) {
        let expected = names.map { FileName($0) }
        #expect(DrivePath(bytes: Array(text.utf8)).components == expected)
        #expect(DrivePath(bytes: text.utf8).components == expected)
        #expect(DrivePath(text).components == expected)
    }

    @Test func whatItIsMadeOfNeedBeNoText() {
        let path = DrivePath(bytes: [0x61, 0x2F, 0xFF, 0x0A])
        #expect(path.components.map(\.bytes) == [[0x61], [0xFF, 0x0A]])
        #expect(path.bytes == [0x61, 0x2F, 0xFF, 0x0A])
    }
}
