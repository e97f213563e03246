import CLinux
import DriveCore
import Glibc
import Testing

@testable import DriveFiles

struct MachineTests {
    @Test func aDriveHasOneWriter() throws {
        let drive = try ScratchDrive()
        guard case .taken(let lock) = try DriveLock.take(at: drive.scratch.path) else {
            Issue.record("the lock of a new drive was taken")
            return
        }
        guard case .held(let holder) = try DriveLock.take(at: drive.scratch.path) else {
            Issue.record("two writers")
            return
        }
        #expect(holder == getpid())
        withExtendedLifetime(lock) {}
    }

    /// It looks like what a program left behind that is gone.
    @Test func whoRemovesItsFileLetsNobodyIn() throws {
        let drive = try ScratchDrive()
        guard case .taken(let lock) = try DriveLock.take(at: drive.scratch.path) else {
            Issue.record("the lock of a new drive was taken")
            return
        }
        #expect(unlink(drive.scratch(".docdrive/lock")) == 0)
        guard case .held(let holder) = try DriveLock.take(at: drive.scratch.path) else {
            Issue.record("two writers")
            return
        }
        #expect(holder == getpid() && DriveLock.holder(at: drive.scratch.path) == getpid())
        withExtendedLifetime(lock) {}
    }

    /// As a program of an older version.
    @Test func whoHasTheFileAloneHasTheDrive() throws {
        let drive = try ScratchDrive()
        let number = Glibc.open(drive.scratch(".docdrive/lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(number) }
        #expect(flock(number, LOCK_EX | LOCK_NB) == 0)
        guard case .held = try DriveLock.take(at: drive.scratch.path) else {
            Issue.record("two writers")
            return
        }
        #expect(flock(number, LOCK_UN) == 0)
        guard case .taken = try DriveLock.take(at: drive.scratch.path) else {
            Issue.record("who was refused has kept the folder")
            return
        }
    }

    @Test func aLockDiesWithItsValue() throws {
        let drive = try ScratchDrive()
        for _ in 0..<3 {
            guard case .taken = try DriveLock.take(at: drive.scratch.path) else {
                Issue.record("the lock outlived its owner")
                return
            }
        }
        let scratch = try Scratch()
        #expect(kind { _ = try DriveLock.take(at: scratch.path) } == .usage)
    }

    /// As a program has one that this process has just started, until it runs.
    @Test func aCopyOfItsDescriptorKeepsNoLock() throws {
        let drive = try ScratchDrive()
        var lock: DriveLock?
        if case .taken(let taken) = try DriveLock.take(at: drive.scratch.path) { lock = taken }
        let places = [drive.scratch(".docdrive/lock"), drive.scratch(".docdrive")]
        let copies = (3..<4096).filter { places.contains(target(of: $0)) }.map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(lock != nil && copies.count >= 2)
        lock = nil
        guard case .taken = try DriveLock.take(at: drive.scratch.path) else {
            Issue.record("the copy has kept it")
            return
        }
    }

    private func target(of descriptor: Int32) -> String {
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            let place = UnsafeMutableRawPointer(buffer.baseAddress!).assumingMemoryBound(to: CChar.self)
            count = max(0, readlink("/proc/self/fd/\(descriptor)", place, buffer.count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func bootIsNamed() {
        #expect(bootID() == bootID())
        #expect(bootID()?.count == 36)
    }

    @Test func clockAndEntropyMove() {
        #expect(SystemClock().milliseconds() > 1_700_000_000_000)
        #expect(SystemEntropy().next() != SystemEntropy().next())
    }

    @Test(arguments: [
        ("anna-laptop.example.org", "anna-laptop"), ("a/b(c)\u{7}d", "abcd"), ("", "device"), (".local", "device"),
        (String(repeating: "x", count: 60), String(repeating: "x", count: 40)),
        (String(repeating: "é", count: 30), String(repeating: "é", count: 20)),
        ("x" + String(repeating: "é", count: 30), "x" + String(repeating: "é", count: 19)),
    ])
    func labelsComeFromTheHostName(host: String, label: String) {
        #expect(deviceLabel(fromHostName: host) == label)
        #expect((1...40).contains(defaultDeviceLabel().utf8.count))
    }

    @Test(arguments: scratchPlaces)
    func traitsAreFoundOutAndLeaveNothing(place: String) throws {
        let drive = try ScratchDrive(in: place)
        let traits = try drive.store.traits()
        #expect(traits.canExchange && traits.keepsLinks && traits.keepsExecutableBit)
        #expect(!traits.foldsCase && !traits.foldsNormalization)
        #expect(traits.longestName == 255)
        #expect(try drive.names(drive.store.open(.incoming)) == [])
    }

    @Test func traitsCleanUpAfterATrialThatWasKilled() throws {
        let drive = try ScratchDrive()
        mkdir(drive.scratch(".docdrive/staging/in/probe-1-2"), 0o700)
        try drive.scratch.write(".docdrive/staging/in/probe-1-2/probe-a", "")
        _ = try drive.store.traits()
        #expect(try drive.names(drive.store.open(.incoming)) == [])
    }

    @Test func kernelCallsTellErrorsApart() {
        #expect(DriveError.system(ENOSPC, "x").kind == .noSpace)
        #expect(DriveError.system(EDQUOT, "x").kind == .noSpace)
        #expect(DriveError.system(EROFS, "x").kind == .readOnly)
        #expect(DriveError.system(EACCES, "x").kind == .permissionDenied)
        #expect(DriveError.system(EMFILE, "x").kind == .exhausted)
        #expect(DriveError.system(EIO, "x").kind == .inputOutput)
        #expect(DriveError.system(ESTALE, "x").kind == .unreachable)
        #expect(
            DriveError.system(EROFS, "write the file").message
                == "cannot write the file: the file system is read-only; mount it for writing")
    }

    @Test(arguments: [true, false])
    func pathsStayBeneath(isStepwise: Bool) throws {
        let outside = try Scratch()
        try outside.write("f", "1")
        let scratch = try Scratch()
        mkdir(scratch("d"), 0o755)
        try scratch.write("d/f", "1")
        symlink(outside.text, scratch("out"))
        symlink("d", scratch("in"))
        let folder = try Descriptor.root(at: scratch.path)
        func opens(_ path: String) -> Bool {
            let open = isStepwise ? dd_open_beneath_stepwise : dd_open_beneath
            let number = open(folder.number, path, false)
            if number >= 0 { _ = dd_close(number) }
            return number >= 0
        }
        #expect(opens("d/f"))
        for path in ["../\(scratch.text.split(separator: "/").last!)/d/f", outside("f"), "out/f", "in/f", "d/../../f"] {
            #expect(!opens(path))
        }
    }

    @Test func thePoolRunsAFewAtATimeAndAll() async throws {
        let pool = DiskPool(width: 2)
        let results = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<500 { group.addTask { try await pool.run { number } } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(results == Set(0..<500))
        #expect(
            await kind { try await pool.run { () throws(DriveError) in throw DriveError(.noSpace, "x") } } == .noSpace)
    }
}
