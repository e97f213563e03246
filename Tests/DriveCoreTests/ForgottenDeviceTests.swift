import Testing

@testable import DriveCore

/// Who counts as gone for good, and what that does to a collection.
struct ForgottenDeviceTests {
    private static let own = DeviceID(high: 1, low: 0)
    private static let lost = DeviceID(high: 2, low: 0)
    private static let third = DeviceID(high: 3, low: 0)

    private func standing(
        _ device: DeviceID, _ head: ObjectKey = "h", _ note: CollectionNote = .none
    ) -> JournalStanding {
        JournalStanding(device: device, head: head, published: 0, note: note)
    }

    private func reviewed(_ noted: [ForgottenDevice], _ journals: [JournalStanding]) -> [ForgottenDevice] {
        noted.reviewed(journals, own: Self.own)
    }

    @Test func itStaysUntilItHasAnotherHead() {
        let noted = [ForgottenDevice(Self.lost, head: "h")]
        #expect(reviewed(noted, [standing(Self.lost)]) == noted)
        #expect(reviewed(noted, [standing(Self.lost, "i")]).isEmpty)
    }

    @Test func withoutAHeadItHasNotComeBack() {
        for head in ["h", nil] {
            let noted = [ForgottenDevice(Self.lost, head: head)]
            #expect(reviewed(noted, []) == noted)
        }
        #expect(reviewed([ForgottenDevice(Self.lost, head: nil)], [standing(Self.lost)]).isEmpty)
    }

    @Test func whomOthersForgetIsForgottenHere() {
        let (current, old) = (ForgottenDevice(Self.lost, head: "h"), ForgottenDevice(Self.lost, head: "g"))
        let saying = { (one: ForgottenDevice) in
            [self.standing(Self.lost), self.standing(Self.third, "k", CollectionNote(forgotten: [one]))]
        }
        #expect(reviewed([], saying(current)) == [current])
        #expect(reviewed([], saying(old)).isEmpty)
        #expect(reviewed([current], saying(current)) == [current])
        // It is for others to say of this one.
        #expect(reviewed([], saying(ForgottenDevice(Self.own, head: "h"))).isEmpty)
    }

    @Test func whoIsBackIsToldByTheNewestHeads() {
        let noted = [ForgottenDevice(Self.lost, head: "h"), ForgottenDevice(Self.third, head: nil)]
        #expect(noted.current([:]) == noted)
        #expect(noted.current([Self.lost: "h"]) == noted)
        #expect(noted.current([Self.lost: "i"]) == [noted[1]])
        #expect(noted.current([Self.lost: "h", Self.third: "k"]) == [noted[0]])
    }

    private func plan(
        _ forgotten: [ForgottenDevice], _ journals: [JournalStanding], gone: [DeviceID: UInt64] = [:]
    ) -> CollectionPlan {
        var memory = CollectionMemory()
        memory.announced = 0
        memory.gone = gone
        let open = CollectionReference(nonce: 1, size: 1, hash: ContentHash(words: (0, 0, 0, 0)))
        let rule = CollectionRule()
        return CollectionPlan(
            own: Self.own, note: CollectionNote(open: open, forgotten: forgotten), memory: memory, journals: journals,
            token: DeviceVector(), rule: rule, now: rule.grace)
    }

    @Test func nobodyWaitsForIt() {
        let journals = [standing(Self.lost), standing(Self.third)]
        let both = [Self.lost, Self.third].map { ForgottenDevice($0, head: "h") }
        #expect(plan(both, journals) == .remove(kept: [], silent: []))
        let patience = CollectionRule().patience
        #expect(plan([both[0]], journals) == .wait(until: patience, for: [Self.third]))
        // Its answer counts all the same.
        let answer = CollectionAnswer(device: Self.own, nonce: 1, kept: [7])
        let answered = [standing(Self.lost, "h", CollectionNote(answers: [answer])), standing(Self.third)]
        #expect(plan(both, answered) == .remove(kept: [7], silent: []))
    }

    @Test func itsMissingHeadsHoldNothingUp() {
        #expect(plan([], [], gone: [Self.lost: 0]) == .unread([Self.lost]))
        let forgotten = [ForgottenDevice(Self.lost, head: nil)]
        #expect(plan(forgotten, [], gone: [Self.lost: 0]) == .remove(kept: [], silent: []))
    }

    /// What it has published may not be read to its end yet: what that needs is not known.
    @Test func itsUnreadJournalDoes() {
        let torn = JournalStanding(device: Self.lost, head: "h", published: 0, note: nil)
        #expect(plan([ForgottenDevice(Self.lost, head: "h")], [torn]) == .unread([Self.lost]))
    }
}
