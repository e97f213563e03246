import Glibc

// libFuzzer brings `main` and calls these two (llvm.org/docs/LibFuzzer.html).

/// The target of this process; set once, before the first input.
nonisolated(unsafe) private var target = FuzzTarget.all[0]

/// `drive-fuzz --target=NAME [options and folders of libFuzzer]`, `--list`, or `--target=NAME --seeds=FOLDER`: libFuzzer
/// leaves alone what begins with two dashes, and hands it on to the processes that it starts.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    var seeds: String?
    var found: FuzzTarget?
    for place in 1..<max(1, Int(count.pointee)) {
        let argument = list.pointee[place].map { String(cString: $0) } ?? ""
        if argument == "--list" { listTargets() }
        if argument.hasPrefix("--target=") { found = FuzzTarget.named(String(argument.dropFirst(9))) }
        if argument.hasPrefix("--seeds=") { seeds = String(argument.dropFirst(8)) }
    }
    guard let found else {
        print("usage: drive-fuzz --target=NAME [options of libFuzzer] | --target=NAME --seeds=FOLDER | --list")
        exit(64)
    }
    if let seeds { exit(writeSeeds(of: found, to: seeds) ? 0 : 1) }
    target = found
    return 0
}

private func listTargets() -> Never {
    for target in FuzzTarget.all { print(target.name) }
    exit(0)
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
