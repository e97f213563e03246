import DriveCore
import Testing

/// Since when something is unneeded.
struct CollectionMemoryTests {
    private func content(_ objects: ObjectKey...) -> Content {
        let chunks = objects.map { object in
            ChunkReference(
                id: .sha256(Array(object.utf8)), length: 1, object: object, offset: 0, storedLength: 1, encoding: .raw)
        }
        return Content(
            hash: .sha256(Array(objects.joined().utf8)), size: UInt64(chunks.count), modified: FileTime(seconds: 1),
            body: .chunks(chunks))
    }

    @Test func aContentIsOldWhereAPartOfItIs() {
        var memory = CollectionMemory()
        let rule = CollectionRule()
        memory.note(unneeded: ["pack/1"], at: 1_000)
        memory.note(unneeded: ["pack/1", "pack/2"], at: 2_000)
        let end = 1_000 + rule.age
        #expect(!memory.isOld(content("pack/1", "pack/2"), rule, now: end - 1))
        #expect(memory.isOld(content("pack/1", "pack/2"), rule, now: end))
        #expect(!memory.isOld(content("pack/2"), rule, now: end))
        // What is needed again, or by something else that lies in the same object.
        memory.note(unneeded: ["pack/2"], at: 3_000)
        #expect(!memory.isOld(content("pack/1"), rule, now: .max))
        // By a clock that was put back.
        #expect(!memory.isOld(content("pack/2"), rule, now: 0))
        #expect(!memory.isOld(content(), rule, now: .max))
    }
}
