import DriveCore
import DriveFiles

/// Tells when other devices have put something into a store that is a folder on this machine.
///
/// Where the folder cannot be watched nothing is told, and the store is asked now and then instead.
struct StoreHints: Sendable {
    /// The folder with the newest objects; it appears with the first device that publishes.
    let heads: FolderPath
    let control: FolderPath
    let own: DeviceID
    let isWatching: @Sendable (Bool) async -> Void

    /// Until the task is cancelled.
    func run(_ hints: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            if heads.exists, let watcher = try? await InotifyWatcher.start(configuration) {
                await follow(watcher, hints)
                await isWatching(false)
                await watcher.stop()
            }
            // Not there yet, or gone with its disk.
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private var configuration: InotifyWatcher.Configuration {
        InotifyWatcher.Configuration(root: heads.bytes, control: control.bytes)
    }

    private func follow(_ watcher: InotifyWatcher, _ hints: AsyncStream<Void>.Continuation) async {
        let prefix = Array("\(own).".utf8)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in watcher.events {
                    switch event {
                    case .ready: await isWatching(true)
                    case .touched(_, let name, _):
                        // Hidden ones are objects under way; our own are no news.
                        if let name, name.bytes.first == 0x2E || name.bytes.starts(with: prefix) { continue }
                        // Nor is it that another device has removed a head after its next one.
                        if let name, !heads.appending(name).exists { continue }
                    case .rescan: break
                    }
                    hints.yield()
                }
            }
            group.addTask {
                // A watch stays with its folder when that is moved or unmounted. Meanwhile the store is asked now and then.
                while !Task.isCancelled, heads.exists { try? await Task.sleep(for: .seconds(60)) }
            }
            await group.next()
            await watcher.stop()
            group.cancelAll()
        }
    }
}
