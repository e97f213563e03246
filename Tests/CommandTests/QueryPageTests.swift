import Foundation
import TestSupport
import Testing

/// The examples of docs/queries.md, run one after the other in the folder that the page describes.
@Suite(.mayBlock) struct QueryPageTests {
    private func folder() throws -> Machine {
        let machine = try Machine()
        try machine.write("Dear Ms Müller, the annual report is late.\n", to: "a/Letters/Müller.txt")
        try machine.write("# Annual report\n\nBudget and outlook.\n", to: "a/Papers/Annual Report.md")
        try machine.write((1...40).map { "\($0);\($0 * $0)\n" }.joined(), to: "a/Papers/Budget.csv")
        try machine.write("A draft of the budget.\n", to: "a/Papers/old/Draft.txt")
        for name in ["beach", "beach copy"] {
            try machine.write(String(repeating: "?", count: 3_000), to: "a/Photos/\(name).jpg")
        }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        return machine
    }

    @Test func examplesPrintWhatThePageSays() throws {
        let machine = try folder()
        let examples = try PageExamples("queries.md").all
        #expect(examples.count > 15)
        for example in examples {
            let script = PageExamples.script("cd a && \(example.command)")
            let result = try machine.run(["-c", script], program: "/bin/sh")
            #expect(result.output == example.output, "\(example.command): \(result.error)")
        }
    }
}
