import DocumentDrive
import DriveCore

/// What `conflicts clean` found, copy by copy.
struct CleaningReport {
    let cleaning: FolderCleaning

    /// What goes: how much it is.
    var total: String {
        let bytes = cleaning.removals.map { cleaning.size(of: $0.candidate.path) }.clampedSum()
        return "\(Quantity.count(cleaning.removals.count, "copy", "copies")), \(Quantity.bytes(bytes))"
    }

    /// For people, before anything is done.
    func print() {
        let going = Set(cleaning.removals.map(\.candidate.path))
        let staying = cleaning.verdicts.filter { !going.contains($0.candidate.path) }
        for (group, verdicts) in Dictionary(grouping: staying, by: \.finding.group).sorted(by: { $0.key < $1.key }) {
            let count = Quantity.count(verdicts.count, "copy", "copies")
            Output.line("\(count) \(group.text(takesContained: cleaning.takesContained)):")
            for verdict in verdicts { Output.line("  \(Escaped.path(verdict.candidate.path))") }
            Output.line("")
        }
        for removal in cleaning.removals {
            let reason = removal.isIdentical ? "same as" : "all of its lines are in"
            Output.line("\(Escaped.path(removal.candidate.path))\n  \(reason) \(Escaped.path(removal.kept))")
        }
    }

    /// What was done with each, in JSON if that is asked for; no outcomes where nothing was to be done.
    func print(_ output: OutputOptions, _ outcomes: [CleaningOutcome]?) -> Bool {
        let paths = cleaning.removals.map(\.candidate.path)
        let deeds = Dictionary(
            uniqueKeysWithValues: outcomes.map { zip(paths, $0).map { ($0, VerdictJSON.Deed($1)) } }
                ?? paths.map { ($0, .onlyLookedAt) })
        return output.printJSON(cleaning.verdicts.map { VerdictJSON($0, deeds[$0.candidate.path], cleaning) })
    }

    /// `folder` is the one that was named.
    func tellTotal(_ outcomes: [CleaningOutcome], of folder: FolderPath) {
        let moved = outcomes.count { if case .removed = $0 { true } else { false } }
        // The other options of the cleaning are none of an undo.
        let undo = "docdrive conflicts clean \(Advice.word(for: folder)) --undo"
        Output.line(
            "\(Quantity.count(moved, "copy", "copies")) in the trash"
                + (moved > 0 ? "; `\(undo)` brings back what it took." : "."))
    }

    /// On standard error; true where a copy is where it was.
    func tellWhatIsLeft(_ outcomes: [CleaningOutcome]) -> Bool {
        var isLeft = false
        for case .left(let error) in outcomes {
            isLeft = true
            Output.error(Sentence(error).text)
        }
        return isLeft
    }

    /// On standard error; true where something could not be looked at.
    func tellWhatWasNotSeen() -> Bool {
        for drive in cleaning.drives {
            Output.error(
                "docdrive: this is a drive with a trash of its own, and was left alone: \(Escaped.path(drive)): clean it by itself"
            )
        }
        for store in cleaning.stores {
            Output.error("docdrive: this is a store, and was left alone: \(Escaped.path(store))")
        }
        for mount in cleaning.mounts {
            Output.error(
                "docdrive: another file system, a bind mount or a subvolume is here, and was left alone: "
                    + "\(Escaped.path(mount)): clean it by itself")
        }
        for folder in cleaning.unreadable {
            Output.error("docdrive: the folder cannot be read: \(Escaped.path(folder)): give yourself access to it")
        }
        for mount in cleaning.silentMounts {
            Output.error(
                "docdrive: what is mounted here cannot be looked at: \(Escaped.path(mount)): unmount it, or bring its server back"
            )
        }
        let isAllRead = cleaning.unreadable.isEmpty && cleaning.silentMounts.isEmpty
        return !isAllRead || cleaning.verdicts.contains { $0.finding == .unreadable }
    }
}
