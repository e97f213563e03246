// SPDX-License-Identifier: GPL-2.0-only

import Glibc
import WatchProtocol

/// The watcher process. Three threads: this one owns the library, one writes reports, one reads commands.
@main
struct Main {
    static func main() {
        guard let bell = Bell() else { exit(WatchExit.failed) }
        let outbox = Outbox(bell: bell)
        startThread { Writer.run(outbox, bell: bell) }
        let status: Int32
        do {
            status = try start(outbox).run()
        } catch {
            outbox.send(.failure(error.failure, message: error.message))
            status = WatchExit.failed
        }
        // The writer ends the process if nobody reads, so this ends.
        while !outbox.isEmpty { usleep(1000) }
        _exit(status)
    }

    private static func start(_ outbox: Outbox) throws(StartFailure) -> Watcher {
        guard let arguments = Arguments.ofProcess() else { throw StartFailure(.usage, Arguments.usage) }
        guard let parent = Parent() else { _exit(WatchExit.stopped) }
        raiseDescriptorLimit()
        // First, while descriptors are small: the library uses select(2).
        guard var library = InotifyLibrary.start() else {
            throw StartFailure(
                .exhausted,
                "no inotify instance is left (error \(InotifyLibrary.error)): "
                    + "raise fs.inotify.max_user_instances with sysctl")
        }
        let (root, rootStatus) = try openFolder(arguments.root)
        let (control, _) = try openFolder(arguments.control)
        guard case .watch(let controlWatch) = library.watch(descriptor: control, mask: WatchMask.control) else {
            throw StartFailure(
                .exhausted,
                "no inotify watch is left (error \(InotifyLibrary.error)): "
                    + "raise fs.inotify.max_user_watches with sysctl")
        }
        let cookies = Cookies(folder: control)
        cookies.sweep()
        outbox.send(.greeting(version: WatchProtocol.version))
        startThread { Commands.run(outbox, cookies: cookies, parent: parent) }
        let leftOut = leftOut(arguments, root)
        // A watch keeps nobody from unmounting a disk (inotify(7), IN_UNMOUNT), and what is open there does.
        if arguments.onlyArrivals { close(root) }
        return Watcher(
            arguments: arguments, root: arguments.onlyArrivals ? nil : root, status: rootStatus, leftOutInodes: leftOut,
            library: library, controlWatch: controlWatch, outbox: outbox, cookies: cookies)
    }

    private static func openFolder(_ path: [UInt8]) throws(StartFailure) -> (Int32, FolderStatus) {
        guard let descriptor = Disk.openRoot(path), let status = FolderStatus(descriptor: descriptor) else {
            let shown = String(decoding: path, as: UTF8.self)
            throw StartFailure(.folder, "the folder \(shown) cannot be opened (error \(errno))")
        }
        return (descriptor, status)
    }

    /// The left-out folders stay left out under another name as well.
    private static func leftOut(_ arguments: Arguments, _ root: Int32) -> Set<UInt64> {
        Set(
            arguments.leaveOut.compactMap { name in
                guard let descriptor = Disk.openFolder(name, in: root) else { return nil }
                defer { close(descriptor) }
                return FolderStatus(descriptor: descriptor)?.inode
            })
    }

    /// A listing holds two descriptors for each level.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func startThread(_ body: @escaping @Sendable () -> Never) {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(ThreadBody(run: body)).toOpaque()
        let error = pthread_create(
            &thread, nil,
            { box in
                guard let box else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run()
            }, box)
        if error != 0 { _exit(WatchExit.failed) }
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Never
    init(run: @escaping @Sendable () -> Never) { self.run = run }
}

struct StartFailure: Error {
    var failure: WatchFailure
    var message: String

    init(_ failure: WatchFailure, _ message: String) {
        self.failure = failure
        self.message = message
    }
}
