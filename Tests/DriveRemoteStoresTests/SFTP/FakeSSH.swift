import DriveCore
import Foundation
import TestSupport

@testable import DriveRemoteStores

/// A program in place of `ssh` that speaks SFTP as badly as it is told to.
final class FakeSSH: Sendable {
    private let path = "\(NSTemporaryDirectory())docdrive-fake-ssh-\(UUID().uuidString)"

    init() throws { try ExecutableScript.write(Self.program, to: path) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func store(
        _ mode: String, _ more: [String: String] = [:], connect: Double = 30, progress: Double = 60, idle: Double = 60,
        isKnown: Bool = false
    ) throws -> SFTPObjectStore {
        var variables = ProcessInfo.processInfo.environment
        variables["DOCDRIVE_SSH"] = path
        variables["FAKE"] = mode
        for (name, value) in more { variables[name] = value }
        var options = RemoteStoreOptions(environment: variables)
        options.connectSeconds = connect
        options.progressSeconds = progress
        options.isKnown = isKnown
        return try SFTPObjectStore(StoreURL("sftp://nas.example/srv/drive"), options, idleSeconds: idle)
    }

    /// A file of 320 KiB is under every name, and each folder is empty, unless the mode says otherwise.
    private static let program = #"""
        #!/usr/bin/env python3
        import os, struct, sys, time
        mode, out, size = os.environ["FAKE"], sys.stdout.buffer, 320 * 1024

        def string(data): return struct.pack(">I", len(data)) + data
        def send(data): out.write(struct.pack(">I", len(data)) + data); out.flush()
        def status(code, text=b""): return 101, struct.pack(">I", code) + string(text) + string(b"")
        def hang():
            while sys.stdin.buffer.read(1): pass
            sys.exit(0)

        def folder(name): return string(name) + string(b"") + struct.pack(">II", 4, 0o040755)

        fresh, written = False, 0
        def answer(kind, body):
            global fresh, written
            if kind == 11: fresh = True
            if kind == 12 and mode == "nested" and fresh:
                fresh, written = False, 0
                return 104, struct.pack(">I", 2) + folder(b"a") + folder(b"b")
            if mode == "quota" and kind == 3: return status(4, b"Disk quota exceeded")
            if mode == "full" and kind == 6: return status(4, b"Failure")
            if mode == "readonly" and kind in (3, 6): return status(4, b"Failure")
            if mode == "denied": return status(3, b"Permission denied \x1b[31m")
            if mode == "handles": return 102, string(b"h")
            if mode == "sequential" and kind == 6:
                offset, count = struct.unpack(">QI", body[5:17])
                if offset != written: return status(4, b"Illegal seek")
                written += count
            if kind in (3, 11): return 102, string(b"h")
            if kind in (7, 8, 17): return 105, struct.pack(">IQI", 5, size if mode != "boundless" else 2**64 - 1, 0o100644)
            if kind == 5:
                offset, count = struct.unpack(">QI", body[-12:])
                if mode == "generous": count += 1
                if mode == "slow": time.sleep(0.7)
                if mode == "short": count = min(count, 1000)
                if offset >= size: return status(1)
                return 103, string(b"x" * (count if mode == "generous" else min(count, size - offset)))
            if kind == 12:
                return (104, struct.pack(">I", 0)) if mode == "endless" else status(1)
            if kind == 200: return 201, struct.pack(">11Q", 4096, 4096, 100, 1, 1, 10, 5, 5, 0, int(mode == "readonly"), 255)
            return status(0)

        if mode == "says": sys.stderr.write(os.environ["FAKE_SAYS"]); sys.exit(255)
        if mode == "banner": out.write(b"Welcome to \x1b[1mnas\x07, have fun\n"); out.flush(); hang()
        if mode == "silent": hang()
        send(b"\2" + struct.pack(">I", 3) + (string(b"statvfs@openssh.com") + string(b"2")))
        read = sys.stdin.buffer.read
        while True:
            head = read(4)
            if len(head) < 4: break
            packet = read(struct.unpack(">I", head)[0])
            if packet[0] == 1: continue
            number = packet[1:5]
            if mode == "mute": hang()
            if mode == "huge": out.write(b"\xff\xff\xff\xff\x67"); out.flush(); hang()
            if mode == "cut": out.write(b"\0\0\0\x20\x67" + number); out.flush(); sys.exit(0)
            if mode == "stranger": number = b"\xca\xfe\xca\xfe"
            kind, body = answer(packet[0], packet[5:])
            send(bytes([kind]) + number + body)
        """#
}
