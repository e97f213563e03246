// SPDX-License-Identifier: GPL-2.0-only

import Glibc

extension Watcher {
    func handle(_ event: RawEvent) {
        if event.isOverflow { return startOver(reason: "too many changes at once for the kernel's event queue") }
        if event.watch == controlWatch { return handleControl(event) }
        guard let folder = tree.byWatch[event.watch] else { return }
        if event.isIgnored { return lostWatch(of: folder) }
        if folder === tree.root, event.has(IN_MOVE_SELF, IN_DELETE_SELF, IN_UNMOUNT) {
            return outbox.send(.rescan(reason: "the drive's folder was moved, deleted or unmounted"))
        }
        guard !event.name.isEmpty else { return }
        if folder === tree.root, arguments.leavesOut(event.name) {
            // Whoever removes the drive removes this too. The folder itself tells nothing while somebody has it open (inotify(7)).
            if event.isFolder, event.has(IN_DELETE, IN_MOVED_FROM) {
                outbox.send(.rescan(reason: "what is the drive's own was removed"))
            }
            return
        }
        if event.has(IN_MODIFY) { return noteWrite(event, in: folder) }
        if event.isLast { writes.ended(OpenWrites.Write(folder: folder, name: event.name)) }
        report(event.name, in: folder, isClosed: event.isSettled)
        if event.isFolder { handleFolder(event, in: folder) }
    }

    private func handleControl(_ event: RawEvent) {
        if event.isIgnored {
            library.leaked += 1
            for token in cookies.takeAll() { outbox.send(.barrier(token: token, isSure: false)) }
        } else if let token = cookies.found(event.name) {
            heldBarriers.append(token)
            // What would explain these came before the cookie.
            for place in vanished.values { unlisted.insert(place.parent) }
            vanished = [:]
            listUnlisted()
            answerBarriers()
        }
    }

    /// Not while something is known to have changed whose place is not known yet; that is settled within seconds.
    func answerBarriers() {
        guard unlisted.isEmpty else { return }
        for token in heldBarriers { outbox.send(.barrier(token: token, isSure: true)) }
        heldBarriers = []
    }

    private func handleFolder(_ event: RawEvent, in folder: Folder) {
        if event.has(IN_CREATE, IN_MOVED_TO, IN_ATTRIB) { look(at: event.name, in: folder) }
        if event.has(IN_DELETE, IN_MOVED_FROM) {
            vanished[placeKey(folder, event.name)] = nil
            if let child = folder.children[event.name] { tree.detach(child, now: now) }
            // An exchange has put another there by now, and may have told of that first.
            look(at: event.name, in: folder)
        }
    }

    /// The kernel dropped a watch: the folder was deleted or unmounted. A delete tells its parent right after; if that
    /// does not come, the parent is listed again.
    private func lostWatch(of folder: Folder) {
        library.leaked += 1
        if folder === tree.root {
            outbox.send(.rescan(reason: "the drive's folder can no longer be watched"))
            return
        }
        if let parent = folder.parent { vanished[placeKey(parent, folder.name)] = (parent, now) }
        unlisted.remove(folder)
        unwatched.remove(folder)
        tree.forget(folder, now: now)
        // There is room for another now.
        lastRetry = 0
    }

    private func placeKey(_ parent: Folder, _ name: [UInt8]) -> Outbox.Key {
        Outbox.Key(folder: ObjectIdentifier(parent), generation: 0, name: name)
    }
}

extension RawEvent {
    /// Whether what was written into the file is told of with this.
    fileprivate var isLast: Bool { has(IN_CLOSE_WRITE, IN_MOVED_FROM, IN_DELETE) }

    /// Whether nothing more is to be expected from a writer: closed, moved in, or a folder.
    fileprivate var isSettled: Bool { has(IN_CLOSE_WRITE, IN_MOVED_TO) || isFolder }
}
