import DocumentDrive
import DriveCore
import FileCoordination
import Foundation
import TestSupport
import Testing

/// The examples of docs/coordination.md: what is Swift stands here, the commands are run.
@Suite(.mayBlock)
struct CoordinationPageTests {
    private static let here = URL(fileURLWithPath: #filePath)
    private static let page = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/coordination.md")

    private func drive() throws -> Machine {
        let machine = try Machine()
        try machine.write("dear\n", to: "a/Letter.txt")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        return machine
    }

    @Test func theProgramRuns() async throws {
        let machine = try drive()
        let folder = FolderPath("\(machine.root)/a")

        let access = try DriveCoordination.of(folder)

        try await access.coordinator().coordinate(writing: "Letter.txt") { item in
            try "dear\n".write(to: item.url, atomically: false, encoding: .utf8)
        }

        let mover = access.coordinator()
        try await mover.coordinate([
            .writing("Letter.txt", options: .forMoving), .writing("Brief.txt", options: .forReplacing),
        ]) { items in
            try FileManager.default.moveItem(at: items[0].url, to: items[1].url)
            try mover.itemDidMove(from: "Letter.txt", to: "Brief.txt")
        }
        #expect(machine.read("a/Brief.txt") == "dear\n")

        final class Editor: FilePresenter {
            let presentedItemPath: DrivePath? = "Brief.txt"
            // It may ask whoever edits the document.
            let answerDeadline = Duration.seconds(600)
            let access: DriveCoordination
            init(_ access: DriveCoordination) { self.access = access }

            func savePresentedItemChanges() async throws {
                try await access.coordinator(presenter: self).coordinate(writing: "Brief.txt") { item in
                    try "saved\n".write(to: item.url, atomically: false, encoding: .utf8)
                }
            }
        }

        let editor = Editor(access)
        await access.add(editor)
        let text = try await access.coordinator().coordinate(reading: "Brief.txt") { item in
            try String(contentsOf: item.url, encoding: .utf8)
        }
        await access.remove(editor)
        #expect(text == "saved\n")
    }

    @Test func theCommandsPrintWhatThePageSays() throws {
        let machine = try drive()
        let programs = URL(fileURLWithPath: Machine.program).deletingLastPathComponent().path
        let blocks = try blocks("console")
        #expect(blocks.count == 1)
        for example in blocks.joined(separator: "\n").components(separatedBy: "$ ").dropFirst() {
            let lines = example.split(separator: "\n").map(String.init)
            let script = "PATH=\(programs):$PATH; export PATH; cd a && \(lines[0])"
            let result = try machine.run(["-c", script], program: "/bin/sh")
            #expect(result.output == lines.dropFirst().map { $0 + "\n" }.joined(), "\(lines[0]): \(result.error)")
        }
    }

    /// Without regard to how far a line is indented.
    @Test func everyExampleOfThePageStandsHere() throws {
        let code = try String(contentsOf: Self.here, encoding: .utf8)
        let blocks = try blocks("swift")
        #expect(blocks.count == 2)
        for block in blocks { #expect(plain(code).contains(plain(block)), "\(block)") }
    }

    private func plain(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    private func blocks(_ language: String) throws -> [String] {
        try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }
}
