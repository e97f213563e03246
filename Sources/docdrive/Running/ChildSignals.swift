import Glibc

/// The signals as programs expect them that this process starts: what it ignores, or its thread keeps back, they would not hear
/// either.
enum ChildSignals {
    /// What whoever started this process wants nobody to hear, as `nohup` does, and a shell for what it runs in the background.
    static let ignored: Set<Int32> = Set([SIGINT, SIGTERM, SIGHUP].filter(isIgnored))

    /// Those with their default action, as `dd_start_program` takes them.
    static var defaults: UInt {
        [SIGINT, SIGTERM, SIGHUP, SIGPIPE].filter { !ignored.contains($0) }.reduce(0) { $0 | 1 << UInt($1) }
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        // SIG_IGN is the number 1 and no function, and functions cannot be compared.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
