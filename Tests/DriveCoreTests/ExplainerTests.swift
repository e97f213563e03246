import Foundation
import Testing

@testable import DriveCore

/// Facts that mean each cause, by values alone: also those for which a disk would have to break.
struct ExplainerTests {
    static let facts: [(Cause, ItemFacts)] = here + onItsWay + drive + past

    private static let now: UInt64 = 2_000_000_000_000
    private static let time = FileTime(seconds: 1_000)
    private static let path: DrivePath = "Folder/Letter.txt"
    private static let member = Member(item: ItemID(high: 1, low: 1))

    private static func look(_ kind: FileFacts.Kind = .file, size: UInt64 = 1, isForeign: Bool = false) -> FileFacts {
        FileFacts(
            kind: kind, identity: FileIdentity(inode: 7, birth: nil), size: size, modified: time, changed: time,
            isForeignMount: isForeign)
    }

    private static var row: Row {
        Row(
            id: RowID(rawValue: 2), parent: .root, name: "Letter.txt", kind: .file, facts: look(), members: [member])
    }

    private static var entry: ViewEntry { ViewEntry(node: .root, name: "Letter.txt", kind: .file, members: [member]) }

    /// In step, but for what is changed.
    private static func made(_ change: (inout ItemFacts) -> Void) -> ItemFacts {
        var facts = ItemFacts(path, drive: DriveFacts(now: now, hasStore: true))
        facts.disk = .present(look())
        facts.row = row
        facts.entry = entry
        change(&facts)
        return facts
    }

    private static func rule(isDefault: Bool) -> ItemFacts {
        made { facts in
            facts.rule = IgnoreDecision(
                isIgnored: true, path: path, file: ".driveignore", line: 3, text: Array("*.txt".utf8))
            facts.isDefaultRule = isDefault
        }
    }

    private static func met(_ cause: Cause) -> (Cause, ItemFacts) {
        (
            cause,
            made { facts in
                facts.obstacles = [Obstacle(path, cause, since: 5)]
                facts.isDirty = true
            }
        )
    }

    private static let here: [(Cause, ItemFacts)] = [
        (.inStep, made { _ in }), (.brought, made { $0.author = "beta" }),
        (.noStore, made { $0.drive.hasStore = false }),
        (.keptForContents, made { $0.row?.rescued = [member.item] }),
        (.keptForUnsynced, made { $0.isKept = true }),
        (.keptByEdit, made { $0.latest = DriveEvent(time: 1, kind: .recovered, path: path) }),
        (
            .clockAhead,
            made { facts in
                facts.author = "beta"
                facts.written = now + RecordNumbers.greatestAdvance + 1
            }
        ),
        (.conflictFile, made { $0.conflict = .init(id: "1", isCopy: false, others: ["Copy"], device: "beta") }),
        (.conflictCopy, made { $0.conflict = .init(id: "1", isCopy: true, others: ["File"], device: "beta") }),
        (.ignoredByRule, rule(isDefault: false)), (.ignoredByDefault, rule(isDefault: true)),
        (.ownName, made { $0.path = ".docdrive/lock" }),
        (
            .specialFile,
            made { facts in
                (facts.row, facts.entry) = (nil, nil)
                facts.disk = .present(look(.other))
            }
        ),
        (.otherFileSystem, made { $0.disk = .present(look(.folder, isForeign: true)) }),
        (.heldHere, made { $0.held = .init(id: "d2", isOwn: true) }),
        (
            .heldPlace,
            made { facts in
                facts.held = .init(id: "d2", isOwn: true)
                facts.held?.subject = .place
            }
        ),
        (
            .heldFolder,
            made { facts in
                (facts.row, facts.disk) = (nil, .absent)
                facts.held = .init(id: "d2", isOwn: true)
                facts.held?.subject = .folder
            }
        ),
        (.heldElsewhere, made { $0.held = .init(id: "d2", isOwn: false, device: "beta", since: 7) }),
        (.unreadable, made { $0.disk = .unreadable(DriveError(.permissionDenied, "no")) }),
        (.diskError, made { $0.disk = .unreadable(DriveError(.inputOutput, "no")) }),
        (.exhausted, made { $0.disk = .unreadable(DriveError(.exhausted, "no")) }),
    ]

    private static let onItsWay: [(Cause, ItemFacts)] = [
        (.newHere, made { ($0.row, $0.entry) = (nil, nil) }), (.editedHere, made { $0.disk = .present(look(size: 2)) }),
        (.goneHere, made { $0.disk = .absent }), (.notSent, made { $0.isUnsent = true }),
        (
            .notSent,
            made { facts in
                (facts.row, facts.entry, facts.disk) = (nil, nil, .absent)
                facts.isUnsentDelete = true
            }
        ),
        (
            .nameWaits,
            made { facts in
                facts.isDirty = true
                facts.obstacles = [Obstacle(path, .nameWaits)]
            }
        ),
        (.notBrought, made { $0.isDirty = true }), (.setAside, made { $0.row?.isParked = true }),
        (
            .nameTaken,
            made { facts in
                facts.row = nil
                facts.disk = .present(look(.other))
                facts.obstacles = [Obstacle(path, .specialFile), Obstacle(path, .nameTaken)]
            }
        ),
        (
            .storeDenied,
            made { facts in
                facts.row = nil
                facts.obstacles = [Obstacle(path, .nameTaken)]
                facts.drive.trouble = Trouble(DriveError(.permissionDenied, "no"), isHere: false, now: 3)
            }
        ),
        (
            .inUse,
            made { facts in
                facts.isDirty = true
                facts.obstacles = [Obstacle(path, .inUse, since: 5)]
                facts.user = ItemFacts.User(process: 17, program: "less")
            }
        ),
        met(.openForWriting), met(.changing), met(.contentMissing), met(.notWritable), met(.diskFull),
        met(.damagedFile),
        met(.bytesWithoutDates), met(.damagedInStore), met(.impossible), met(.notMovable), met(.tooLarge),
        met(.refusedByStore),
    ]

    private static func stopped(_ kind: DriveError.Kind, isHere: Bool = false) -> ItemFacts {
        made { facts in
            facts.isUnsent = true
            facts.drive.trouble = Trouble(DriveError(kind, "no"), isHere: isHere, now: 5)
        }
    }

    private static let drive: [(Cause, ItemFacts)] = [
        (.storeUnreachable, stopped(.unreachable)), (.storeBusy, stopped(.temporary)), (.storeFull, stopped(.noSpace)),
        (.diskFull, stopped(.noSpace, isHere: true)), (.storeDenied, stopped(.permissionDenied)),
        (.tooLargeForStore, stopped(.tooLarge)),
        (.notWritable, stopped(.permissionDenied, isHere: true)), (.storeNewer, stopped(.newerFormat)),
        (.storeDamaged, stopped(.corrupt)), (.stopped, stopped(.needsDecision)),
        (.diskError, stopped(.inputOutput, isHere: true)),
        (.exhausted, stopped(.exhausted, isHere: true)), (.exhausted, stopped(.exhausted)),
        (.exhausted, met(.exhausted).1),
        (
            .paused,
            made { facts in
                facts.isUnsent = true
                facts.drive.pause = Pause(since: 5, until: 9)
                facts.drive.trouble = Trouble(DriveError(.unreachable, "no"), isHere: false, now: 5)
            }
        ),
        (
            .otherProcess,
            made { facts in
                facts.isUnsent = true
                facts.drive.otherProcess = 17
            }
        ),
        (
            .notWatched,
            made { facts in
                facts.disk = .present(look(size: 2))
                facts.drive.watcher = .init(process: 17, unwatched: 1)
            }
        ),
        (
            .journalUnreadable,
            made { facts in
                facts.path = .root
                facts.drive.journals = [Obstacle(.root, .journalUnreadable, since: 5)]
            }
        ),
    ]

    private static func gone(_ past: ItemFacts.Past?, lacksFolder: Bool = false) -> ItemFacts {
        made { facts in
            (facts.row, facts.entry, facts.disk) = (nil, nil, .absent)
            (facts.past, facts.lacksFolder) = (past, lacksFolder)
        }
    }

    private static func event(_ kind: DriveEvent.Kind, _ device: String?) -> DriveEvent {
        DriveEvent(time: 5, kind: kind, path: path, device: device)
    }

    private static let past: [(Cause, ItemFacts)] = [
        (.deletedHere, gone(.deleted(event(.deleted, nil), trash: nil))),
        (.deletedElsewhere, gone(.deleted(event(.deleted, "beta"), trash: "17-3f"))),
        (.movedHere, gone(.moved(event(.moved, nil), to: "Other"))),
        (.movedElsewhere, gone(.moved(event(.moved, "beta"), to: "Other"))), (.unknown, gone(nil)),
        (.deletedEarlier, gone(.deletedEarlier(trash: nil))), (.deletedUnseen, gone(.deletedUnseen(device: "beta"))),
        (.folderMissing, gone(nil, lacksFolder: true)),
    ]

    @Test(arguments: facts)
    func theseFactsMeanThisCause(_ cause: Cause, _ facts: ItemFacts) {
        let explanation = Explainer(facts).explanation()
        #expect(explanation.cause == cause)
        #expect(!explanation.sentence.isEmpty && !explanation.sentence.hasSuffix("."))
        // Whatever is the matter, somebody is told what to wait for or what to do.
        if !explanation.standing.isSettled {
            #expect(
                explanation.waitsFor != nil || explanation.remedy != nil || cause == .impossible)
        }
    }

    /// Who follows the advice, or has a program follow it, loses nothing.
    @Test(arguments: facts)
    func noRemedyRemovesWhatIsHere(_ cause: Cause, _ facts: ItemFacts) {
        #expect(Explainer(facts).explanation().remedy?.hasPrefix("rm ") != true)
    }

    @Test func noCauseIsLeftOut() { #expect(Set(Self.facts.map(\.0)) == Set(Cause.allCases)) }

    @Test func lettersAreThoseOfTheLists() {
        #expect(Set(Standing.allCases.map(\.rawValue)).count == Standing.allCases.count)
        #expect(Standing.downloading.rawValue == "D" && Standing.downloading.word == "downloading")
    }

    /// `docs/why.md` names every cause with the sentence that is printed.
    @Test(arguments: Cause.allCases)
    func thePageHasTheSentence(_ cause: Cause) throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/why.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("| `\(cause.rawValue)` |") })
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let facts = try #require(Self.facts.first { $0.0 == cause }?.1)
        let sentence = Explainer(facts).explanation().sentence
            .replacingOccurrences(of: "`*.txt` (.driveignore:3)", with: "RULE")
            .replacingOccurrences(of: "less (process 17)", with: "PROGRAM")
            .replacingOccurrences(of: "Other", with: "PLACE").replacingOccurrences(of: "beta", with: "DEVICE")
        #expect(cells[1] == (cause == .notBrought ? "changed by DEVICE, and not brought here yet" : sentence))
    }

    /// What has the name, and what is to have it, wait for the same.
    @Test func whatIsToHaveANameIsToldThat() throws {
        let facts = Self.made { facts in
            (facts.isDirty, facts.entry) = (true, nil)
            facts.obstacles = [Obstacle("Other", .nameWaits, since: 5)]
        }
        let explanation = Explainer(facts).explanation()
        let sentence = "it is to be called Other, and what has that name here cannot leave it"
        #expect(explanation.cause == .nameWaits && explanation.sentence == sentence && explanation.others == ["Other"])
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/why.md")
        #expect(
            try String(contentsOf: page, encoding: .utf8).contains(
                sentence.replacingOccurrences(of: "Other", with: "PLACE")))
        let holder = try #require(Self.facts.first { $0.0 == .nameWaits }?.1)
        #expect(Explainer(holder).explanation().others.isEmpty)
    }

    @Test func whatOpensAFolderIsSaidOfTheFolder() throws {
        let error = DriveError(.permissionDenied, "no")
        let file = Self.made { $0.disk = .unreadable(error) }
        #expect(Explainer(file).explanation().remedy == "chmod u+r Folder/Letter.txt")
        let inside = Self.made {
            $0.disk = .unreadable(error)
            $0.barrier = ItemFacts.Barrier("Closed", .permissions)
        }
        #expect(Explainer(inside).explanation().remedy == "chmod u+rwx Closed")
        let others = Self.made {
            $0.obstacles = [Obstacle($0.path, .notWritable)]
            $0.barrier = ItemFacts.Barrier("Root's", .othersItem)
        }
        #expect(Explainer(others).explanation().remedy == "sudo chown \"$USER\" 'Root'\\''s'")
        let unchanging = Self.made {
            $0.obstacles = [Obstacle($0.path, .notWritable)]
            $0.barrier = ItemFacts.Barrier($0.path, isFolder: false, .unchanging)
        }
        #expect(Explainer(unchanging).explanation().remedy == "sudo chattr -ia Folder/Letter.txt")
        let folder = Self.made {
            $0.row?.kind = .folder
            $0.disk = .unreadable(error)
        }
        #expect(Explainer(folder).explanation().remedy == "chmod u+rwx Folder/Letter.txt")
    }

    @Test func whatTheFileSystemDoesNotMoveIsMovedByHand() {
        let facts = Self.made {
            ($0.row, $0.disk, $0.isDirty) = (nil, .absent, true)
            $0.obstacles = [Obstacle("New", .notMovable)]
            $0.move = .init(from: "It is old", to: "New")
        }
        #expect(Explainer(facts).explanation().remedy == "mv 'It is old' New")
    }

    /// Whatever is mounted where another device has moved it from.
    @Test func whatIsToComeFromBeneathAMountNamesIt() {
        let facts = Self.made {
            ($0.row, $0.disk, $0.isDirty) = (nil, .absent, true)
            $0.mount = "Stick"
        }
        let explanation = Explainer(facts).explanation()
        #expect(explanation.cause == .otherFileSystem)
        #expect(explanation.sentence.contains("is at Stick;"))
        #expect(explanation.waitsFor?.hasPrefix("Stick to be unmounted") == true)
        #expect(explanation.remedy == nil)
    }

    @Test func anErrorOfOneItemIsNoFailingDisk() {
        #expect(Cause(bringing: DriveError(.unfit, "no")) == .impossible)
        #expect(Cause(bringing: DriveError(.unmovable, "no")) == .notMovable)
        #expect(Cause(bringing: DriveError(.exhausted, "no")) == .exhausted)
        #expect(Cause(bringing: DriveError(.inputOutput, "no")) == .diskError)
    }

    /// The stub of a subvolume cannot be moved.
    @Test func aNameIsFreedAsItCanBe() {
        func remedy(_ disk: FileFacts) -> String? {
            let facts = Self.made {
                ($0.row, $0.obstacles) = (nil, [Obstacle($0.path, .nameTaken)])
                $0.disk = .present(disk)
            }
            return Explainer(facts).explanation().remedy
        }
        let moving = "mv Folder/Letter.txt Folder/Letter.txt.other"
        #expect(remedy(Self.look(.other)) == moving)
        #expect(remedy(Self.look(.folder)) == moving)
        var foreign = Self.look(.folder, isForeign: true)
        #expect(remedy(foreign) == moving)
        foreign.identity.inode = 2
        #expect(remedy(foreign) == "rmdir Folder/Letter.txt")
    }

    @Test func whatCannotBeSyncedIsIgnoredByARuleOfItsOwn() {
        func remedy(_ path: DrivePath) -> String? {
            let facts = Self.made {
                ($0.path, $0.row, $0.entry) = (path, nil, nil)
                $0.disk = .present(Self.look(.other))
            }
            return Explainer(facts).explanation().remedy
        }
        #expect(remedy("Folder/pipe") == #"printf '\n%s\n' /Folder/pipe >> .driveignore"#)
        #expect(remedy("a[1] *") == #"printf '\n%s\n' '/a\[1]\ \*' >> .driveignore"#)
        #expect(remedy("my\nnotes") == #"printf '\n%s\n' '/my?notes' >> .driveignore"#)
    }

    @Test func whatIsTypedIsOneWordOfAShell() {
        #expect(DrivePath("Letters/Budget 2026.ods").shellText == "'Letters/Budget 2026.ods'")
        #expect(DrivePath("it's").shellText == "'it'\\''s'")
        #expect(DrivePath("-rf").shellText == "./-rf")
        #expect(DrivePath("Übung.txt").shellText == "Übung.txt")
        #expect("".shellWord == "''")
    }

    @Test func aWordSteersNoTerminalAndIsEveryByteOfTheName() {
        func printed(_ format: String) -> String { "\"$(printf '\(format)')\"" }
        #expect("p\u{1B}[31mq\u{7}".shellWord == printed(#"p\033[31mq\a"#))
        #expect("it's\none\\two".shellWord == printed(#"it\047s\none\\two"#))
        #expect(DrivePath(bytes: [0x61, 0xFF, 0x31]).shellText == printed(#"a\3771"#))
        #expect(DrivePath("-\u{1}1").shellText == printed(#"./-\0011"#))
        #expect("Ü\u{202E}b\u{85}".shellWord == printed(#"Ü\342\200\256b\302\205"#))
        #expect("-5%\t!\"`$x".shellWord == printed(#"\0555%%\t\041\042\140$x"#))
        // What printf ends with goes the way of the last line's end.
        #expect("it's 5%\n".shellWord == #"$'it\'s 5%\n'"#)
    }

    @Test func whatIsUnknownMayHaveBeenThereBeforeTheLog() {
        var facts = Self.gone(nil)
        #expect(Explainer(facts).explanation().sentence.hasSuffix("this device never showed one"))
        facts.isLogCut = true
        #expect(Explainer(facts).explanation().sentence.hasSuffix("none was since this device's log begins"))
    }

    @Test func anEmptyTrashMakesNoRoom() {
        var facts = Self.stopped(.noSpace, isHere: true)
        #expect(Explainer(facts).explanation().remedy == "docdrive doctor")
        facts.drive.trash = TrashRoom([Self.trashed(1, daysAgo: 8)], lacking: 0, now: Self.day * 100)
        #expect(Explainer(facts).explanation().remedy == "docdrive trash empty --older-than 7d")
    }

    @Test func whoSignedInWronglySignsInAnew() {
        var facts = Self.stopped(.notAuthenticated)
        #expect(Explainer(facts).explanation().remedy == "docdrive doctor")
        let error = DriveError(.notAuthenticated, "wrong password; correct it (`docdrive store login` for a drive)")
        facts.drive.trouble = Trouble(error, isHere: false, now: 5)
        #expect(Explainer(facts).explanation().remedy == "docdrive store login")
    }

    private static let day: UInt64 = 86_400_000

    private static func trashed(_ size: UInt64, daysAgo days: UInt64) -> TrashEntry {
        TrashEntry(
            name: "t", path: "a", hash: nil, size: size, reason: .replaced, time: day * (100 - days))
    }

    /// As little as makes the room that is lacking, and never a command that removes nothing.
    @Test(arguments: [
        (5, "docdrive trash empty --older-than 7d"), (15, "docdrive trash empty --older-than 1d"),
        (150, "docdrive trash empty"), (5_000, "docdrive trash empty"),
    ]) func whatMakesRoomIsAsOldAsItMayBe(_ lacking: UInt64, _ command: String) {
        var facts = Self.stopped(.noSpace, isHere: true)
        let entries = [Self.trashed(100, daysAgo: 0), Self.trashed(10, daysAgo: 2), Self.trashed(10, daysAgo: 8)]
        facts.drive.trash = TrashRoom(entries, lacking: lacking, now: Self.day * 100)
        #expect(Explainer(facts).explanation().remedy == command)
        facts.drive.trash = TrashRoom([Self.trashed(100, daysAgo: 0)], lacking: 0, now: Self.day * 100)
        #expect(Explainer(facts).explanation().remedy == "docdrive trash empty")
    }

    @Test func aTroubleKeepsTheTimeSinceWhenItHolds() {
        let first = Trouble(DriveError(.unreachable, "no"), isHere: false, now: 5)
        let again = first.again(Trouble(DriveError(.unreachable, "still no"), isHere: false, now: 9))
        #expect((again.since, again.last, again.attempts, again.message) == (5, 9, 2, "still no"))
        let other = again.again(Trouble(DriveError(.permissionDenied, "no"), isHere: false, now: 11))
        #expect((other.since, other.attempts) == (11, 1))
    }
}
