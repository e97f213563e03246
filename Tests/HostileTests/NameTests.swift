import DriveCore
import Foundation
import Testing

/// SE1, SE4, NM8, NM9, SE18: names that lead elsewhere, that are nobody's, or that are the drive's own.
@Suite(.serialized) struct NameTests {
    static let impossible: [FileName] = [
        "", ".", "..", "/", "a/b", "../outside/secret", "/etc/passwd", "a/../../x", "x/",
        FileName(bytes: [0x61, 0, 0x62]),
        FileName(bytes: [0]), FileName(bytes: Array(repeating: 0x78, count: 256)),
    ]

    @Test(arguments: impossible, [ItemKind.file, .folder, .link])
    func namesThatLeadElsewhereAreRefusedAndTheRestGoesOn(name: FileName, kind: ItemKind) async throws {
        let world = try World()
        let honest = try world.device("honest")
        try honest.write("letter.txt", "hello")
        try await honest.sync()
        var evil = world.hostile()
        let content = kind == .file ? try await evil.content(Array("bad".utf8)) : evil.link("target")
        try await evil.publish([evil.item(name, kind, content: kind == .folder ? nil : content)])
        let before = try world.outside()
        let victim = try world.device("victim")
        try await victim.sync()
        try await victim.sync()
        #expect(try victim.tree() == ["letter.txt"])
        #expect(try world.outside() == before)
        #expect(try victim.problems.contains { $0.contains("breaks its format") })
    }

    @Test func backslashesAndDriveLettersAreOrdinaryNames() async throws {
        let world = try World()
        var evil = world.hostile()
        let content = try await evil.content(Array("text".utf8))
        let names: [FileName] = ["C:\\x", "..\\x", "\\\\server\\x", "~", "-rf", "$(x)", "%2e%2e%2f", "...", " "]
        try await evil.publish(names.map { evil.item($0, content: content) })
        let victim = try world.device("victim")
        try await victim.sync()
        #expect(try victim.tree() == Set(names.map(\.description)))
    }

    /// `.docdrive` with a zero-width joiner, in full-width letters or with a trailing dot is somebody's file; only the exact
    /// name at the root is the drive's.
    @Test func theDrivesOwnFolderIsNeverWrittenTo() async throws {
        let world = try World()
        let victim = try world.device("victim")
        try victim.write("mine", "1")
        try await victim.sync()
        let own = try victim.ownFolder()
        var evil = world.hostile()
        let content = try await evil.content(Array("replica-of-mine".utf8))
        var folder = evil.item(".docdrive", .folder)
        var inside = evil.item("replica", in: folder.id, content: content)
        let deeper = evil.item("deeper", .folder)
        let deep = evil.item(".docdrive", .folder, in: deeper.id)
        let variants: [FileName] = [
            ".DocDrive", ".DOCDRIVE", ".docdrive.", ".docdrive ", ".doc\u{200D}drive", ".docdri\u{200C}ve",
            "\u{FF0E}docdrive", ".docdrive\u{0301}",
        ]
        try await evil.publish(
            [
                folder, inside, evil.item(".docdrive", content: content), deeper, deep,
                evil.item("replica", in: deep.id, content: content),
            ] + variants.map { evil.item($0, content: content) })
        try await victim.sync()
        try await victim.sync()
        #expect(try victim.ownFolder() == own)
        #expect(victim.text(".docdrive/replica") == "victim\n")
        #expect(victim.text("deeper/.docdrive/replica") == "replica-of-mine")
        for variant in variants { #expect(victim.text(variant.description) == "replica-of-mine") }
        #expect(try victim.problems.contains { $0.contains("belongs to the drive itself") })
        #expect(try victim.tree().contains("mine"))

        // Nor by a move of something that is there.
        inside = evil.item("replica", in: .root, content: content, id: inside.id)
        folder = evil.item(".docdrive", .folder, in: .root, id: deeper.id)
        try await evil.publish([inside, folder])
        try await victim.sync()
        #expect(try victim.ownFolder() == own)
        #expect(victim.text(".docdrive/replica") == "victim\n")
    }

    @Test func namesThatTerminalsObeyAreKeptAsBytesAndShownAsEscapes() async throws {
        let world = try World()
        var evil = world.hostile()
        let content = try await evil.content(Array("text".utf8))
        let names: [FileName] = [
            "\u{1B}[2J\u{1B}]0;owned\u{07}", "two\nlines", "back\rwards", "\u{202E}fdp.exe",
            FileName(bytes: [0x9B, 0x32, 0x4A]), FileName(bytes: [0xFF, 0xFE]),
        ]
        try await evil.publish(names.map { evil.item($0, content: content) })
        let victim = try world.device("victim")
        try await victim.sync()
        let files = victim.engine.parts.files
        #expect(Set(try files.list(files.open(.root)).map(\.name)) == Set(names))
    }

    @Test(arguments: [
        "\u{1B}[2J", "two\nlines", "a/b", "(x)", "", String(repeating: "x", count: 41), "nul\0", "\u{9B}2J",
        "..", "../..",
    ])
    func labelsThatWouldLeadElsewhereMakeTheHeadVoid(label: String) async throws {
        let world = try World()
        var evil = world.hostile()
        try await evil.publish([evil.item("file", content: evil.content([1]))], label: label)
        let honest = try world.device("honest")
        try honest.write("letter.txt", "hello")
        try await honest.sync()
        let victim = try world.device("victim")
        try await victim.sync()
        #expect(try victim.tree().contains("letter.txt"))
    }
}
