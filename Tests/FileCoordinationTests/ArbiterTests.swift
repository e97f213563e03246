import DriveCore
import Testing

@testable import FileCoordination

struct ArbiterTests {
    private var arbiter = Arbiter()

    private mutating func claim(
        _ number: Int, _ intents: FileIntent..., purpose: String? = nil, inside: [Int] = [], answering: UInt64? = nil,
        presenter: PresenterID? = nil
    ) {
        var request = ClaimRequest(purpose: purpose ?? "\(number)", intents: intents)
        request.inside = inside.map(ClaimID.test)
        request.answering = answering
        request.presenter = presenter
        arbiter.claim(.test(number), request)
    }

    /// Grants what can be granted, and tells the rest.
    @discardableResult
    private mutating func settle() -> [Arbiter.Action] {
        var rest: [Arbiter.Action] = []
        while true {
            let actions = arbiter.takeActions()
            if actions.isEmpty { return rest }
            for action in actions {
                if case .lock(let id, _) = action { arbiter.locked(id) } else { rest.append(action) }
            }
        }
    }

    private var held: [Int] { arbiter.claims.filter { $0.stage == .held }.map { Int($0.id.number) }.sorted() }

    @Test mutating func nobodyOvertakes() {
        claim(1, .reading("Item"))
        claim(2, .writing("Item"))
        claim(3, .reading("Item"))
        claim(4, .reading("Other"))
        settle()
        #expect(held == [1, 4])
        arbiter.release(.test(1))
        settle()
        #expect(held == [2, 4])
        arbiter.release(.test(2))
        settle()
        #expect(held == [3, 4])
    }

    /// Each looks at the others once: were it all of them at each turn, this would take a quarter of an hour.
    @Test(.timeLimit(.minutes(5))) mutating func manyGetAnItemInTheirOrder() {
        for number in 1...600 { claim(number, .writing("Item")) }
        settle()
        for number in 301...400 { arbiter.cancel(.test(number)) }
        settle()
        for number in Array(1...300) + Array(401...600) {
            #expect(held == [number])
            arbiter.release(.test(number))
            settle()
        }
        #expect(arbiter.claims.isEmpty)
    }

    /// What was waited for has moved away.
    @Test mutating func whoWaitsForWhatMovesDoesNotWaitForItsOldName() {
        claim(1, .writing("Item", options: .forMoving))
        claim(2, .reading("Item"))
        claim(3, .writing("Item", options: .forReplacing))
        settle()
        arbiter.moved(ItemMove(from: "Item", to: "Moved"), by: .test(1))
        settle()
        arbiter.release(.test(1))
        settle()
        #expect(held == [2, 3])
    }

    /// Each lock makes the next one slower: nothing is locked anew, and for what ends now nothing at all.
    @Test mutating func whatMovesNeedsTheLockOfItsNewPlaceAlone() {
        claim(1, .writing("A", options: .forMoving), .writing("B", options: .forMoving), .writing("C"))
        settle()
        arbiter.moved(ItemMove(from: "A", to: "New"), by: .test(1))
        #expect(locked() == [.writing("New", options: .forMoving)])
        claim(2, .reading("B"))
        _ = locked()
        arbiter.release(.test(1), moved: [ItemMove(from: "B", to: "D"), ItemMove(from: "D", to: "E")], AccessReport())
        #expect(locked() == [.reading("E")])
        arbiter.locked(.test(2))
        settle()
        #expect(held == [2])
    }

    private mutating func locked() -> [FileIntent] {
        arbiter.takeActions().flatMap { action -> [FileIntent] in
            if case .lock(_, let intents) = action { intents } else { [] }
        }
    }

    /// It is not asked again, and who writes its item fails for it: it is not passed over.
    @Test mutating func oneThatDoesNotAnswerStillConcernsWhoWrites() {
        arbiter.present(PresenterID(client: 9, number: 1), Presentation(path: "Item", purpose: "show", patience: 1))
        claim(1, .writing("Item"))
        let question = settle().compactMap { if case .ask(_, let number, _, _, _) = $0 { number } else { nil } }
        arbiter.timedOut(question[0])
        var request = ClaimRequest(purpose: "act", intents: [.writing("Item")])
        #expect(arbiter.concernsPresenters(request))
        request.passesOver = true
        #expect(!arbiter.concernsPresenters(request))
    }

    @Test mutating func aClaimGetsAllOrNothing() {
        claim(1, .writing("A"))
        claim(2, .writing("A"), .writing("B"))
        claim(3, .writing("B"))
        settle()
        #expect(held == [1])
        arbiter.release(.test(1))
        settle()
        #expect(held == [2])
        arbiter.release(.test(2))
        settle()
        #expect(held == [3])
    }

    @Test mutating func whoGivesUpLetsTheNextGo() {
        claim(1, .reading("Item"))
        claim(2, .writing("Item"))
        claim(3, .reading("Item"))
        settle()
        arbiter.cancel(.test(2))
        let failed = settle().contains { if case .fail(.test(2), .cancelled) = $0 { true } else { false } }
        #expect(failed)
        #expect(held == [1, 3])
        // What is held is not taken away.
        arbiter.cancel(.test(1))
        settle()
        #expect(held == [1, 3])
    }

    @Test mutating func whoIsGoneHoldsNothing() {
        arbiter.claim(ClaimID(client: 7, number: 1), ClaimRequest(purpose: "a", intents: [.writing("Item")]))
        arbiter.claim(ClaimID(client: 7, number: 2), ClaimRequest(purpose: "b", intents: [.writing("Item")]))
        claim(3, .writing("Item"))
        settle()
        arbiter.leave(7)
        settle()
        #expect(held == [3])
        #expect(arbiter.claims.count == 1)
    }

    @Test mutating func whoWaitsFollowsAnItemThatMoves() {
        claim(1, .writing("Folder", options: .forMoving), .writing("New", options: .forReplacing))
        claim(2, .reading("Folder/File"))
        claim(3, .writing("Folder", options: .forReplacing))
        settle()
        arbiter.moved(ItemMove(from: "Folder", to: "New"), by: .test(1))
        settle()
        #expect(held == [1])
        #expect(arbiter[.test(2)]?.request.intents == [.reading("New/File")])
        // The claim is on the name.
        #expect(arbiter[.test(3)]?.request.intents == [.writing("Folder", options: .forReplacing)])
        arbiter.release(.test(1))
        settle()
        #expect(held == [2, 3])
    }

    /// The new place was not claimed: it is, from the move on.
    @Test mutating func whatIsMovedStaysHeld() {
        claim(1, .writing("A", options: .forMoving))
        claim(2, .writing("A"))
        settle()
        arbiter.moved(ItemMove(from: "A", to: "B"), by: .test(1))
        claim(3, .reading("B"))
        settle()
        #expect(held == [1])
        arbiter.release(.test(1))
        settle()
        #expect(held == [2])
    }

    @Test mutating func nestedClaimsOfOnePurposeOvertakeWhoWaitsForThem() {
        claim(1, .writing("Folder", options: .forMoving))
        claim(2, .writing("Folder/File"))
        claim(3, .writing("Folder/File"), purpose: "1")
        settle()
        #expect(held == [1, 3])
        arbiter.release(.test(3))
        arbiter.release(.test(1))
        settle()
        #expect(held == [2])
    }

    @Test mutating func whoIsWaitedForOvertakesThoseBehindItself() {
        claim(1, .writing("A"))
        claim(2, .writing("A"), .writing("B"))
        claim(3, .writing("B"), inside: [1])
        settle()
        #expect(held == [1, 3])
    }

    @Test mutating func theYoungestOfACycleFails() {
        claim(1, .writing("A"))
        claim(2, .writing("B"))
        claim(3, .writing("B"), inside: [1])
        settle()
        claim(4, .writing("A"), inside: [2])
        let failures = settle().compactMap { action -> ClaimID? in
            if case .fail(let id, .deadlock("A")) = action { id } else { nil }
        }
        #expect(failures == [.test(4)])
        #expect(held == [1, 2])
        arbiter.release(.test(2))
        settle()
        #expect(held == [1, 3])
    }

    @Test mutating func threeInACycleAreSeen() {
        for (number, name) in ["A", "B", "C"].enumerated() { claim(number, .writing(DrivePath(name))) }
        for (number, name) in ["B", "C", "A"].enumerated() {
            claim(10 + number, .reading(DrivePath(name)), inside: [number])
        }
        let failures = settle().compactMap { action -> ClaimID? in
            if case .fail(let id, .deadlock) = action { id } else { nil }
        }
        #expect(failures == [.test(12)])
    }

    @Test mutating func whoClaimsItsOwnItemAgainFails() {
        claim(1, .writing("A"))
        claim(2, .writing("A"), inside: [1])
        let failures = settle().filter { if case .fail(.test(2), .deadlock) = $0 { true } else { false } }
        #expect(failures.count == 1)
    }

    private let editor = PresenterID(client: 5, number: 1)

    private func questions(_ actions: [Arbiter.Action]) -> [(UInt64, PresenterQuestion)] {
        actions.compactMap { if case .ask(_, let number, _, let question, _) = $0 { (number, question) } else { nil } }
    }

    /// What a presenter at `place` is asked before an access, one after the other.
    private func asked(_ place: DrivePath, _ intents: FileIntent..., isPreparation: Bool = false) -> [PresenterQuestion]
    {
        var arbiter = Arbiter()
        arbiter.present(editor, Presentation(path: place, purpose: "editor"))
        var request = ClaimRequest(purpose: "1", intents: intents)
        request.isPreparation = isPreparation
        arbiter.claim(.test(1), request)
        var all: [PresenterQuestion] = []
        while true {
            let actions = arbiter.takeActions()
            if actions.isEmpty { break }
            for action in actions {
                switch action {
                case .lock(let id, _): arbiter.locked(id)
                case .ask(_, let number, let id, let question, _):
                    #expect(!arbiter.isHeld(1))
                    all.append(question)
                    arbiter.answered(number, PresenterAnswer(), to: id)
                default: break
                }
            }
        }
        #expect(arbiter.isHeld(1))
        return all
    }

    @Test func presentersAreAskedWhatTheAccessNeeds() {
        #expect(asked("A", .reading("A")) == [.relinquishToReader, .save])
        #expect(asked("A", .reading("A", options: .withoutChanges)) == [.relinquishToReader])
        #expect(asked("A", .writing("A")) == [.relinquishToWriter])
        #expect(asked("A", .writing("A", options: .contentIndependentMetadataOnly)) == [.relinquishToWriter])
        #expect(asked("A", .writing("A", options: .forMerging)) == [.relinquishToWriter, .save])
        #expect(asked("A", .writing("A", options: .forMoving)) == [.relinquishToWriter])
        #expect(asked("A", .writing("A", options: .forDeleting)) == [.relinquishToWriter, .accommodateDeletion])
        #expect(asked("A", .writing("A", options: .forReplacing)) == [.relinquishToWriter, .accommodateDeletion])
        #expect(asked("B", .writing("A", options: .forDeleting)) == [])
        // In what goes away, and around it.
        #expect(asked("A/B", .writing("A", options: .forDeleting)) == [.relinquishToWriter, .accommodateDeletion])
        #expect(asked("A/B", .writing("A", options: .forMoving)) == [.relinquishToWriter])
        #expect(asked("A/B", .writing("A")) == [])
        #expect(asked("A/B", .reading("A")) == [])
        #expect(asked("A", .writing("A/B", options: .forDeleting)) == [.accommodateSubitemDeletion("A/B")])
        #expect(asked("A", .reading("A/B")) == [])
        // A package is one item.
        #expect(asked("A.rtfd", .reading("A.rtfd/1.png")) == [.relinquishToReader, .save])
        #expect(
            asked("A.rtfd", .writing("A.rtfd/1.png", options: .forDeleting))
                == [.relinquishToWriter, .accommodateSubitemDeletion("A.rtfd/1.png")])
        // A batch reaches all that is inside, and takes nothing yet.
        #expect(asked("A/B", .reading("A"), isPreparation: true) == [.save])
        #expect(asked("A/B", .writing("A", options: .forDeleting), isPreparation: true) == [.accommodateDeletion])
        #expect(asked("A/B", .writing("A"), isPreparation: true) == [])
    }

    @Test mutating func ownPresentersAreNotAsked() {
        arbiter.present(editor, Presentation(path: "A", purpose: "editor"))
        claim(1, .writing("A"), purpose: "editor", presenter: editor)
        #expect(questions(settle()).isEmpty)
        #expect(held == [1])
    }

    @Test mutating func aPresenterThatSavesIsNotKeptByWhoeverWaitsForIt() throws {
        arbiter.present(editor, Presentation(path: "A", purpose: "editor"))
        claim(1, .reading("A"))
        let relinquish = try #require(questions(settle()).first)
        arbiter.answered(relinquish.0, PresenterAnswer(reacquires: true), to: .test(1))
        let save = try #require(questions(settle()).first)
        #expect(save.1 == .save)
        claim(2, .writing("A"))
        claim(3, .writing("A"), purpose: "editor", answering: save.0, presenter: editor)
        settle()
        #expect(held == [3])
        // Who answers before the write is over lets nobody in.
        arbiter.answered(save.0, PresenterAnswer(), to: .test(1))
        settle()
        #expect(held == [3])
        arbiter.release(.test(3))
        settle()
        #expect(held == [1])
        arbiter.release(.test(1))
        let told = settle().contains { if case .tell(editor, .reacquire(.test(1))) = $0 { true } else { false } }
        #expect(told)
    }

    @Test mutating func aPresenterThatWaitsForItsAskerIsACycle() throws {
        arbiter.present(editor, Presentation(path: "A", purpose: "editor"))
        claim(1, .reading("A"))
        let question = try #require(questions(settle()).first)
        // Not on the presenter's behalf: it is not known to be part of the answer.
        claim(2, .writing("A"), answering: question.0)
        let failures = settle().filter { if case .fail(.test(2), .deadlock) = $0 { true } else { false } }
        #expect(failures.count == 1)
    }

    @Test mutating func readersGoOnWithoutWhoeverDoesNotAnswer() throws {
        arbiter.present(editor, Presentation(path: "A", purpose: "editor"))
        claim(1, .reading("A"))
        let question = try #require(questions(settle()).first)
        arbiter.timedOut(question.0)
        settle()
        #expect(held == [1])
        // It is not asked any more, and writers fail.
        claim(2, .reading("A"))
        #expect(questions(settle()).isEmpty)
        arbiter.release(.test(1))
        arbiter.release(.test(2))
        claim(3, .writing("A"))
        let failed = settle().contains {
            if case .fail(.test(3), .presenterUnresponsive("A")) = $0 { true } else { false }
        }
        #expect(failed)
        // Until it answers after all.
        arbiter.answered(question.0, PresenterAnswer(), to: .test(1))
        claim(4, .writing("A"))
        #expect(questions(settle()).map(\.1) == [.relinquishToWriter])
    }

    /// It is locked out of its own document otherwise.
    @Test mutating func whoLetGoAndSavesForTooLongGetsItsItemBack() throws {
        arbiter.present(editor, Presentation(path: "A", purpose: "editor"))
        claim(1, .reading("A"))
        let relinquish = try #require(questions(settle()).first)
        arbiter.answered(relinquish.0, PresenterAnswer(reacquires: true), to: .test(1))
        let save = try #require(questions(settle()).first)
        arbiter.timedOut(save.0)
        settle()
        #expect(held == [1])
        arbiter.release(.test(1))
        let told = settle().count { if case .tell(editor, .reacquire(.test(1))) = $0 { true } else { false } }
        #expect(told == 1)
        // The answer that comes late is to nothing that it let go for.
        arbiter.answered(save.0, PresenterAnswer(), to: .test(1))
        #expect(settle().isEmpty)
    }

    @Test mutating func aFailedSaveFailsWhoeverWaits() throws {
        arbiter.present(editor, Presentation(path: "A", purpose: "editor"))
        claim(1, .reading("A", options: []))
        let relinquish = try #require(questions(settle()).first)
        arbiter.answered(relinquish.0, PresenterAnswer(reacquires: true), to: .test(1))
        let save = try #require(questions(settle()).first)
        arbiter.answered(save.0, PresenterAnswer(failure: "no room"), to: .test(1))
        let actions = settle()
        let failed = actions.contains {
            if case .fail(.test(1), .presenterFailed("A", "no room")) = $0 { true } else { false }
        }
        let gotBack = actions.contains { if case .tell(editor, .reacquire(.test(1))) = $0 { true } else { false } }
        #expect(failed && gotBack)
    }

    /// Told while the item is held, or with the end of the access.
    @Test(arguments: [false, true])
    mutating func presentersFollowMovesAndHearOfChanges(atEnd: Bool) {
        let folder = PresenterID(client: 5, number: 2)
        arbiter.present(editor, Presentation(path: "A/File", purpose: "editor"))
        arbiter.present(folder, Presentation(path: "A", purpose: "browser"))
        claim(1, .writing("A/File", options: .forMoving))
        for question in questions(settle()) { arbiter.answered(question.0, PresenterAnswer(), to: .test(1)) }
        settle()
        #expect(held == [1])
        let move = ItemMove(from: "A/File", to: "B")
        if !atEnd { arbiter.moved(move, by: .test(1)) }
        var report = AccessReport()
        report.appeared = ["A/New"]
        report.changed = ["B"]
        arbiter.release(.test(1), moved: atEnd ? [move] : [], report)
        let told = settle().compactMap { action -> (PresenterID, PresenterNotice)? in
            if case .tell(let id, let notice) = action { (id, notice) } else { nil }
        }
        #expect(told.filter { $0.0 == editor }.map(\.1) == [.didMove("B"), .didChange])
        #expect(
            told.filter { $0.0 == folder }.map(\.1) == [.subitemDidMove("A/File", "B"), .subitemDidAppear("A/New")])
        #expect(arbiter.presenters[editor]?.path == "B")
    }

    @Test mutating func versionsAreToldToEverybodyAround() {
        let folder = PresenterID(client: 5, number: 2)
        arbiter.present(editor, Presentation(path: "A/File", purpose: "editor"))
        arbiter.present(folder, Presentation(path: "A", purpose: "browser"))
        for change in VersionNews.Change.allCases {
            let news = VersionNews(change, "v1")
            arbiter.announce(news, of: "A/File")
            let told = settle().compactMap { action -> PresenterNotice? in
                if case .tell(_, let notice) = action { notice } else { nil }
            }
            #expect(Set(told) == [.version(news), .subitemVersion("A/File", news)])
        }
    }

    /// A presenter's number that somebody else gave is none of a client's.
    @Test func clientsSpeakForThemselvesAlone() {
        let claims = FileClaims()
        let one = claims.join { _ in }
        let other = claims.join { _ in }
        let id = ClaimID(client: one, number: 1)
        claims.hear(.claim(id, ClaimRequest(purpose: "1", intents: [.writing("A")])), from: one)
        claims.hear(.release(id, AccessReport()), from: other)
        #expect(claims.isInUse)
        claims.hear(
            .claim(ClaimID(client: other, number: 1), ClaimRequest(purpose: "2", intents: [.reading("A")])), from: other
        )
        // Nor may a reader, or whoever has something else, move it.
        claims.hear(.moved(ItemMove(from: "A", to: "B"), by: ClaimID(client: other, number: 1)), from: other)
        claims.hear(
            .claim(ClaimID(client: other, number: 2), ClaimRequest(purpose: "3", intents: [.writing("B")])), from: other
        )
        #expect(claims.waiting == 1)
        claims.leave(other)
        claims.hear(.release(id, AccessReport()), from: one)
        #expect(!claims.isInUse)
    }
}
