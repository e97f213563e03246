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
        var configuration = InotifyWatcher.Configuration(root: heads.bytes, control: control.bytes)
        // Hidden ones are objects under way; our own are no news, nor is it that another device has removed a head after its
        // next one.
        configuration.leaveOutPrefixes = [[0x2E], Array("\(own).".utf8)]
        configuration.onlyArrivals = true
        return configuration
    }

    private func follow(_ watcher: InotifyWatcher, _ hints: AsyncStream<Void>.Continuation) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in watcher.events {
                    if case .ready = event { await isWatching(true) }
                    hints.yield()
                    // Also where the disk went, and may be back before anybody looks: it takes another watch then.
                    if case .rescan = event { return }
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
