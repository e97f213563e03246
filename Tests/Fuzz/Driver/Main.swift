import Glibc

// libFuzzer brings `main` and calls these two (llvm.org/docs/LibFuzzer.html).

/// The target of this process; set once, before the first input.
nonisolated(unsafe) private var target = FuzzTarget.all[0]

/// `drive-fuzz TARGET [options and folders of libFuzzer]`, `drive-fuzz --list`, `drive-fuzz --seeds TARGET FOLDER`.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>, _ list: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    let arguments = (1..<max(1, Int(count.pointee))).compactMap { list.pointee[$0].map { String(cString: $0) } }
    if arguments.first == "--list" {
        for target in FuzzTarget.all { print(target.name) }
        exit(0)
    }
    if arguments.count == 3, arguments[0] == "--seeds", let target = FuzzTarget.named(arguments[1]) {
        exit(writeSeeds(of: target, to: arguments[2]) ? 0 : 1)
    }
    guard let name = arguments.first, let found = FuzzTarget.named(name) else {
        print("usage: drive-fuzz TARGET [options of libFuzzer] | --list | --seeds TARGET FOLDER")
        exit(64)
    }
    target = found
    // What libFuzzer does not know is for the program: it stays where it starts itself again.
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
    do { try target.run(Array(UnsafeBufferPointer(start: start, count: length))) } catch {
        fatalError("\(target.name): \(error)")
    }
    return 0
}

private func writeSeeds(of target: FuzzTarget, to folder: String) -> Bool {
    do {
        for (number, seed) in try target.seeds().enumerated() {
            guard let file = fopen("\(folder)/seed-\(number)", "w") else { return false }
            defer { fclose(file) }
            guard fwrite(seed, 1, seed.count, file) == seed.count else { return false }
        }
        return true
    } catch {
        print("\(target.name): \(error)")
        return false
    }
}
