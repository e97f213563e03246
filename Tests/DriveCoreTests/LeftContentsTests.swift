import DriveCore
import Testing

struct LeftContentsTests {
    private func chunk(_ object: ObjectKey) -> ChunkReference {
        ChunkReference(id: hash(object), length: 1, object: object, offset: 0, storedLength: 1, encoding: .raw)
    }

    private func hash(_ text: String) -> ContentHash { .sha256(Array(text.utf8)) }

    private func content(_ name: String, _ body: Content.Body) -> Content {
        Content(hash: hash(name), size: 1, modified: FileTime(seconds: 1), body: body)
    }

    @Test func whatLayInARemovedObjectHasLeft() throws {
        let one = content("one", .chunks([chunk("blob/1"), chunk("blob/2")]))
        let other = content("other", .chunks([chunk("blob/3")]))
        let again = content("one", .chunks([chunk("blob/4")]))
        let link = content("link", .inline([1]))
        var left = LeftContents()
        left.note(["blob/2"], .removed, unneeded: [one, other, again, link])
        #expect(left.standing(of: one) == .removed)
        #expect([other, again, link].allSatisfy { left.standing(of: $0) == .kept })
        left.note(["blob/2", "blob/3"], .given, unneeded: [one, other, again])
        #expect(left.standing(of: one) == .removed && left.standing(of: other) == .given)
        #expect(try LeftContents(left.bytes) == left)
        // What is needed again, or not known any more, is not kept.
        left.note(["blob/3"], .given, unneeded: [one])
        #expect(left.standing(of: one) == .removed && left.standing(of: other) == .kept)
    }

    /// Nobody reads the list for that.
    @Test func ofALargeContentAnUnknownObjectMayBeAPart() {
        let large = content("large", .list(chunk("pack/1")))
        let small = content("small", .chunks([chunk("blob/3")]))
        var left = LeftContents()
        left.note(["blob/3"], .removed, unneeded: [large, small])
        #expect(left.standing(of: large) == .kept && left.standing(of: small) == .removed)
        left.note(["blob/9"], .removed, unneeded: [large, small])
        #expect(left.standing(of: large) == .given)
        left.note(["pack/1"], .removed, unneeded: [large, small])
        #expect(left.standing(of: large) == .removed)
    }

    @Test func whatWasGivenUpIsNotOnlyMissed() {
        let lost = content("lost", .chunks([chunk("blob/1")]))
        var left = LeftContents()
        left.note([lost], .given)
        left.note([lost], .givenUp)
        left.note([lost], .given)
        #expect(left.standing(of: lost) == .givenUp)
    }

    /// Of what was looked for in vain more is known than of what others may have removed, and less than of what was removed here.
    @Test func whatWasMissedMayComeYet() throws {
        let lost = content("lost", .chunks([chunk("blob/1")]))
        var left = LeftContents()
        left.note([lost], .given)
        left.note([lost], .missed)
        left.note([lost], .given)
        #expect(left.standing(of: lost) == .missed && left.gone.isEmpty)
        #expect(try LeftContents(left.bytes) == left)
        left.noteFound(lost)
        #expect(left.standing(of: lost) == .kept && left.isEmpty)
        left.note([lost], .removed)
        left.note([lost], .missed)
        #expect(left.standing(of: lost) == .removed && left.gone == [lost.hash])
    }
}
