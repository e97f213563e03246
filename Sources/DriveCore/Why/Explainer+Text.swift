// What people read. `docs/why.md` has the same sentences; a test compares them.
extension Explainer {
    /// Names of paths and devices stand where the page has capitals.
    func sentence(of cause: Cause) -> String {
        switch cause {
        case .inStep: "in step: the store has what is here"
        case .brought: "in step: brought from \(facts.author ?? "another device")"
        case .noStore: "known to this device alone: the drive has no store"
        case .keptForContents: "another device deleted this folder; it stays for what is in it"
        case .keptForUnsynced: "another device deleted this folder; it stays for what is in it, which is not synced"
        case .keptByEdit: "it was deleted while somebody changed or kept it, and it stays"
        case .clockAhead: "in step; the clock of \(facts.author ?? "another device") is ahead of this one's"
        case .conflictFile: "two devices wrote it at once: the other content is beside it"
        case .conflictCopy: "a copy: \(facts.conflict?.device ?? "another device") wrote the file at the same time"
        case .ignoredByRule, .ignoredByDefault: ignoredSentence(cause)
        case .ownName where facts.path.components.first == .lostAndFound:
            "this folder belongs to the file system; nothing in it is synced"
        case .ownName: "this name belongs to the drive itself; nothing under it is synced"
        case .specialFile: "sockets, pipes and devices are not synced"
        case .otherFileSystem:
            "another file system, or a subvolume of its own, is \(mountIfBehind.map { "at \($0)" } ?? "here"); "
                + "what is on it is not synced"
        case .newHere: "new here, and no pass has looked at it yet"
        case .editedHere: "changed here, and no pass has looked at it yet"
        case .goneHere: "gone from here, and no pass has looked yet"
        case .notSent: "changed here, and not in the store yet"
        case .notBrought: "changed by \(facts.author ?? "another device"), and not brought here yet"
        case .setAside: "set aside until its place is free"
        default: obstacleSentence(cause) ?? pastSentence(cause)
        }
    }

    private func ignoredSentence(_ cause: Cause) -> String {
        if let rule = facts.rule, rule.isUnread { return "ignored, because the rules in \(rule.file) cannot be read" }
        let rule = facts.rule.map { "`\(String(decoding: $0.text, as: UTF8.self))`" } ?? "a rule"
        let place = facts.rule.map { " (\($0.file):\($0.line))" } ?? ""
        return cause == .ignoredByDefault
            ? "ignored by a rule that every new drive has: \(rule)\(place)" : "ignored by your rule \(rule)\(place)"
    }

    /// What is in the way where the item is now lies where another device has moved it from.
    private var mountIfBehind: DrivePath? {
        facts.mount.flatMap { facts.path == $0 || facts.path.isInside($0) ? nil : $0 }
    }

    private var isBehindMount: Bool { mountIfBehind != nil }

    private func obstacleSentence(_ cause: Cause) -> String? {
        switch cause {
        case .openForWriting:
            facts.row?.kind == .folder
                ? "a program has a file in it open for writing" : "a program has it open for writing"
        case .changing: "it kept changing while it was read"
        case .inUse: "\(facts.user?.words ?? "a program") is using it, and syncing leaves it alone meanwhile"
        case .nameTaken: "something else has its name here, which is not synced"
        case .nameWaits: waitingSentence
        case .contentMissing: "the store names it, and does not have all of its bytes yet"
        case .folderMissing: "its record is here, the one of its folder is not"
        case .paused: "paused: nothing is sent or brought"
        case .otherProcess: "another process works on the drive now"
        case .exhausted: "too many files are open, or no memory is left"
        case .notWatched: "changed in a drive of which not all folders can be watched"
        case .journalUnreadable: "a device's journal cannot be read whole yet"
        case .heldHere: "deleted here, with so many others that the delete is held"
        case .heldElsewhere:
            "deleted by \(facts.held?.device ?? "another device"), with so many others that the delete is held here"
        case .heldPlace:
            "what was in its place was deleted \(facts.held?.isOwn == false ? "by \(facts.held?.device ?? "another device")" : "here"), "
                + "and that delete is held"
        case .heldFolder: "it comes into a folder that was deleted here, and that delete is held"
        case .unreadable: "it may not be read"
        case .notWritable: "its place here may not be written"
        case .diskFull: "this disk is nearly full"
        case .diskError: "this disk reports an error"
        case .damagedFile: "its bytes changed, its size and dates did not: the disk may have lost it"
        case .bytesWithoutDates: "the store lost its content, and what is here changed without its dates"
        case .damagedInStore: "the store's copy is damaged"
        case .impossible: "it cannot exist on this disk"
        case .notMovable: "another device moved it, and this file system does not move it"
        case .tooLarge: "a file of this size cannot be stored"
        default: troubleSentence(cause)
        }
    }

    /// Of what has the name, or of what is to have it.
    private var waitingSentence: String {
        awaitedName.map { "it is to be called \($0), and what has that name here cannot leave it" }
            ?? "what is to have this name waits: what has it here is to go elsewhere, and something is in its way there"
    }

    private func troubleSentence(_ cause: Cause) -> String? {
        switch cause {
        case .storeUnreachable: "the store cannot be reached"
        case .storeBusy: "the store is busy, or in trouble"
        case .storeFull: "the store has no room for this"
        case .storeDenied: "the store denies access"
        case .tooLargeForStore: "the store's server does not take so much at once"
        case .refusedByStore: "the store's server refuses just this, and takes the rest"
        case .storeNewer: "the store was written by a newer version"
        case .storeDamaged: "the store is damaged"
        case .stopped: "the last pass stopped, and somebody must set something right first"
        default: nil
        }
    }

    private func pastSentence(_ cause: Cause) -> String {
        let device = facts.past?.device ?? "another device"
        let place = others(for: cause).first.map { " to \($0)" } ?? ""
        switch cause {
        case .deletedHere: return "deleted on this device"
        case .deletedElsewhere: return "deleted by \(device)"
        case .movedHere: return "moved on this device\(place)"
        case .movedElsewhere: return "moved by \(device)\(place)"
        case .deletedEarlier: return "deleted before this device's log begins"
        case .deletedUnseen: return "deleted by \(device); it never was here by this name"
        default:
            // Others may have had one that got another name before this device heard of it.
            let told = facts.isLogCut ? "none was since this device's log begins" : "this device never showed one"
            return "nothing of this name is here, and \(told)"
        }
    }

    /// Nil where nothing more is to happen.
    func awaited(for cause: Cause) -> String? {
        // What exactly is the matter, in the words of whoever met it.
        if isOfTrouble(cause), let trouble = facts.drive.trouble { return trouble.error.description }
        let pass = facts.drive.watcher == nil ? "the next `docdrive sync`" : "the next pass of the watcher"
        switch cause {
        case .newHere, .editedHere, .goneHere, .notSent, .notBrought, .setAside: return pass
        case .openForWriting:
            let use = facts.isDirty ? "what others made of it takes its place" : "it is read"
            return "the program to close it; after a minute \(use) all the same"
        case .changing: return "a moment in which it does not change"
        case .inUse: return facts.user.map { "\($0.words) to let it go" } ?? pass
        case .nameTaken, .nameWaits: return "the name to be free"
        case .contentMissing: return "the rest of its bytes in the store"
        case .folderMissing: return "the record of its folder"
        case .paused: return facts.drive.pause?.until == nil ? "`docdrive resume`" : "the end of the pause"
        case .otherProcess:
            // One of another container has no number here.
            return facts.drive.otherProcess.flatMap { $0 > 0 ? "process \($0)" : nil } ?? "the other process"
        case .exhausted: return "fewer open files or a higher limit (`ulimit -n`), or free memory"
        case .notWatched: return "the next look at the whole folder, every 15 minutes"
        case .journalUnreadable: return "the rest of the journal in the store"
        case .heldHere, .heldElsewhere, .heldPlace, .heldFolder: return "your decision"
        // Of this item alone, and in the same words.
        case .storeBusy, .storeDenied: return facts.problem
        case .diskFull: return "room on this disk"
        case .otherFileSystem:
            return mountIfBehind.map { "\($0) to be unmounted, or moved away: it is to come from there" }
        case .tooLargeForStore:
            return
                "a limit of the server that lets 64 MiB pass: client_max_body_size of nginx, LimitRequestBody of Apache"
        case .refusedByStore: return "the server to take it"
        default: return nil
        }
    }

    /// A folder is listed, entered, and what is brought is put into it. Nil where nobody could tell what keeps it closed.
    private func openingCommand(for cause: Cause) -> String? {
        if let barrier = facts.barrier {
            let path = barrier.path.shellText
            switch barrier.hindrance {
            case .permissions: return "chmod \(barrier.isFolder ? "u+rwx" : "u+r") \(path)"
            case .othersItem: return "sudo chown \"$USER\" \(path)"
            case .unchanging: return "sudo chattr -ia \(path)"
            }
        }
        if cause == .notWritable { return nil }
        var isFolder = facts.row?.kind == .folder
        if case .present(let here) = facts.disk { isFolder = here.kind == .folder }
        return "chmod \(isFolder ? "u+rwx" : "u+r") \(facts.path.shellText)"
    }

    /// Makes a rule of this item alone, in the drive's topmost folder (gitignore(5), "PATTERN FORMAT"): on a line of its own,
    /// also where the last one there has no end.
    private var ignoringCommand: String {
        var pattern: [UInt8] = [0x2F]
        for byte in (facts.mount ?? facts.path).bytes {
            // No line can hold the ends of lines; any one character stands for them.
            if byte == 0x0A || byte == 0x0D {
                pattern.append(0x3F)
                continue
            }
            if #"\*?[ "#.utf8.contains(byte) { pattern.append(0x5C) }
            pattern.append(byte)
        }
        return #"printf '\n%s\n' \#(ShellWord.text(of: pattern)) >> .driveignore"#
    }

    /// In the place of a subvolume a snapshot has an empty folder, inode 2 of Btrfs, that cannot be moved, only removed.
    private var freeingCommand: String {
        let path = facts.path.shellText
        guard case .present(let here) = facts.disk, here.kind == .folder, here.isForeignMount, here.identity.inode == 2
        else { return "mv \(path) \(path).other" }
        return "rmdir \(path)"
    }

    private static let login = "docdrive store login"

    /// Nil where nothing needs to be done.
    func remedy(for cause: Cause) -> String? {
        let path = facts.path.shellText
        switch cause {
        case .newHere, .editedHere, .goneHere, .notSent, .notBrought, .setAside, .notWatched: return "docdrive sync"
        case .nameTaken: return freeingCommand
        case .conflictFile, .conflictCopy: return "docdrive conflicts show \(facts.conflict?.id ?? path)"
        case .heldHere, .heldElsewhere, .heldPlace, .heldFolder:
            return facts.held?.id.map { "docdrive deletes confirm \($0)" } ?? "docdrive deletes ls"
        case .paused: return "docdrive resume"
        case .unreadable: return openingCommand(for: cause)
        case .notWritable: return openingCommand(for: cause) ?? "docdrive doctor"
        case .otherFileSystem where isBehindMount: return nil
        case .specialFile, .otherFileSystem, .tooLarge: return ignoringCommand
        case .notMovable:
            return facts.move.map { "mv \($0.from.shellText) \($0.to.shellText)" } ?? "docdrive status"
        // What is here may be what a disk has made of it, and would take the place of what others have.
        case .damagedFile, .bytesWithoutDates: return "docdrive verify --repair \(path)"
        case .damagedInStore, .contentMissing, .storeDamaged, .journalUnreadable: return "docdrive store check"
        case .noStore: return "docdrive sync --to URL"
        // As whoever met it has said: `ssh` keeps its own.
        case .storeDenied where (facts.drive.trouble?.message ?? facts.problem)?.contains(Self.login) == true:
            return Self.login
        case .clockAhead, .diskError, .storeUnreachable, .storeDenied, .stopped: return "docdrive doctor"
        // Of which the server's own settings are named beside what it waits for.
        case .tooLargeForStore: return nil
        // With what the server said.
        case .refusedByStore: return "docdrive status"
        // There it is named.
        case .nameWaits: return "docdrive status"
        case .storeFull: return "docdrive store gc"
        case .diskFull: return facts.drive.trash.command(for: facts.entry?.content?.size ?? 0) ?? "docdrive doctor"
        case .deletedHere where facts.isGoneForGood, .deletedElsewhere where facts.isGoneForGood: return nil
        case .deletedElsewhere, .deletedEarlier, .deletedUnseen:
            return facts.past?.trash.map { "docdrive trash restore \($0)" } ?? "docdrive restore \(path)"
        // Without a store nobody has it.
        case .deletedHere: return facts.drive.hasStore ? "docdrive restore \(path)" : nil
        case .movedHere, .movedElsewhere: return "docdrive why \(others(for: cause).first?.shellText ?? path)"
        default: return nil
        }
    }
}
