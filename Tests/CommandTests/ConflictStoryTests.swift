import Foundation
import TestSupport
import Testing

/// The story of docs/conflicts.md: its commands, run one after the other, print what the page says.
@Suite(.mayBlock) struct ConflictStoryTests {
    /// Without what is another one in each run: times, ids of conflicts, ids of versions.
    private func plain(_ text: String) -> String {
        let changing = [
            (#"\d{4}-\d\d-\d\d \d\d:\d\d"#, "TIME"), (#"\d{4}-\d\d-\d\d \d{6}"#, "TIME"),
            (#"(?m)^[0-9a-f]{6}-[0-9a-z]+  "#, "ID  "),
            (#"diff [0-9a-f]{6}-[0-9a-z]+`"#, "diff ID`"), (#"(?m)^[0-9a-f]{8}  "#, "VERSION  "),
        ]
        return changing.reduce(text) { text, change in
            text.replacingOccurrences(of: change.0, with: change.1, options: .regularExpression)
        }
    }

    @Test func everyCommandPrintsWhatThePageSays() throws {
        let machine = try Machine()
        try machine.write(
            "# Introduction\nBees dance.\nNobody knew why.\nKarl von Frisch found out.\nThis thesis asks how well.\n",
            to: "thinkpad/introduction.md")
        try machine.write("# Conclusion\nThey dance well.\n", to: "thinkpad/conclusion.md")
        try machine.write("Frisch 1967\nSeeley 2010\n", to: "thinkpad/sources.txt")
        try machine.write("ask Prof. Lindauer\n", to: "thinkpad/notes.txt")
        try FileManager.default.createDirectory(atPath: "\(machine.root)/desk", withIntermediateDirectories: true)
        let steps = try PageExamples("conflicts.md").all
        #expect(steps.count > 20)
        for step in steps {
            let script = PageExamples.script(step.command)
            let result = try machine.run(["-c", "(\(script)) 2>&1"], program: "/bin/sh")
            // Which of the operations' files comes first is not the story.
            if step.command.hasSuffix("undo --list") {
                #expect(result.output.split(separator: "\n").count == step.output.split(separator: "\n").count)
                continue
            }
            #expect(plain(result.output) == plain(step.output), "\(step.command)")
        }
    }
}
