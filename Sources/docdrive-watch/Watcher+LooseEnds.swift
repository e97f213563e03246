// SPDX-License-Identifier: GPL-2.0-only

import Glibc

extension Watcher {
    /// How many seconds a folder that left its place may take to turn up elsewhere, and more than that. Giving up too
    /// early costs a listing.
    private static let patience: UInt32 = 1
    /// How often a folder without a watch is tried again; another program may have given some back.
    private static let retryInterval: UInt32 = 60

    /// Without any, the thread sleeps until something happens: no wake-ups on an idle drive.
    var hasLooseEnds: Bool {
        !tree.detached.isEmpty || !vanished.isEmpty || !unlisted.isEmpty || !unwatched.isEmpty || !writes.isEmpty
            || isCoverageNews
    }

    /// Called about once a second while there are any; `isIdle` if all events have been handled.
    func tieLooseEnds(isIdle: Bool) {
        dropDetached()
        listVanished()
        if isIdle { reachUnlisted() }
        if !writes.isEmpty { tellOpenWrites() }
        if !unwatched.isEmpty, now - lastRetry >= Self.retryInterval { retryUnwatched() }
        if isCoverageNews { reportCoverage() }
    }

    /// Loses what is known, then looks everywhere. The rescan is asked for afterwards: whatever the drive then does not
    /// see has a watch.
    func startOver(reason: String) {
        listAll()
        outbox.send(.rescan(reason: reason))
        for token in cookies.takeAll().union(heldBarriers) { outbox.send(.barrier(token: token, isSure: true)) }
        heldBarriers = []
    }

    /// What did not turn up was moved out of the root, or deleted while somebody still has it open.
    private func dropDetached() {
        let late = tree.detached.filter { now - $0.value > Self.patience }.keys
        guard !late.isEmpty else { return }
        for folder in late where tree.detached[folder] != nil {
            tree.forgetSubtree(folder) { dropped in
                if let watch = dropped.watch { library.remove(watch) }
                unwatched.remove(dropped)
                unlisted.remove(dropped)
            }
        }
        // There may be room for others now.
        lastRetry = 0
    }

    private func listVanished() {
        for (place, entry) in vanished where now - entry.since > Self.patience {
            vanished[place] = nil
            unlisted.insert(entry.parent)
        }
    }

    private func reachUnlisted() {
        listUnlisted()
        // No event is left that could explain why these are not where the tree has them.
        if unlisted.contains(where: { tree.path(of: $0) != nil }) {
            startOver(reason: "folders were moved faster than they could be followed")
        }
    }

    private func retryUnwatched() {
        lastRetry = now
        for folder in unwatched where tree.path(of: folder) != nil {
            guard watchAgain(folder) else { return }
        }
    }
}
