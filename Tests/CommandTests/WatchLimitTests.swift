import TestSupport
import Testing

/// Whether this machine lets a test have a watch limit of its own.
private let canLimitWatches: Bool = {
    let command = ["-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_watches"]
    return (try? ChildProcess("/usr/bin/unshare", command).wait()) == 0
}()

@Suite(.mayBlock, .enabled(if: canLimitWatches, "needs user namespaces: unshare -Ur failed"))
struct WatchLimitTests {
    @Test func whoIsToFollowAFolderWithoutWatchesIsToldHowToHaveMore() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let inner = "echo 0 > /proc/sys/user/max_inotify_watches; exec \"$0\" -C a find -live x"
        let result = try machine.run(["-Ur", "sh", "-c", inner, Machine.program], program: "/usr/bin/unshare")
        #expect(result.code == 75, "\(result)")
        let parts = ["no inotify watch is left (error 28)", "raise fs.inotify.max_user_watches with sysctl"]
        for part in parts { #expect(result.error.contains(part), "\(result)") }
    }
}
