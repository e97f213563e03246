import Foundation
import TestSupport
import Testing

@Suite(.mayBlock)
struct ExampleTests {
    @Test func theExampleInTheDocumentationRuns() throws {
        let machine = try Machine()
        let example = URL(fileURLWithPath: Machine.program).deletingLastPathComponent()
            .appendingPathComponent("example-notes").path
        let first = try machine.run(["a", "store", "hello"], program: example)
        #expect(first.output == "0 items here, 0 in the store\nsent 2, brought 0, 2 items\n", "\(first.output)")
        #expect(try machine.run(["b", "store", "hello"], program: example).code == 0)
        #expect(machine.files("b") == ["Note.txt": "hello\n"])
    }
}
