// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// `docdrive-watch ROOT CONTROL [--leave-out NAME]... [--leave-out-prefix BYTES]... [--arrivals] [--leak-limit COUNT]
/// [--open-time SECONDS]`, as bytes: names need not be UTF-8.
struct Arguments {
    var root: [UInt8]
    /// A folder on the same machine in which cookie files are made; usually inside a left-out folder.
    var control: [UInt8]
    /// Names directly beneath the root that are neither watched nor reported.
    var leaveOut: [[UInt8]] = []
    /// What the names of others begin with.
    var leaveOutPrefixes: [[UInt8]] = []
    /// Only what comes directly beneath the root: nothing that goes or has its attributes changed.
    var onlyArrivals = false
    /// How many dead entries the library may gather before the process asks to be restarted.
    var leakLimit = 100_000
    /// After how many seconds a write is told of though the file was not closed.
    var openTime: UInt32 = 10

    static let usage =
        "usage: docdrive-watch ROOT CONTROL [--leave-out NAME]... [--leave-out-prefix BYTES]... [--arrivals] "
        + "[--leak-limit COUNT] [--open-time SECONDS]"

    /// Nil if the arguments make no sense.
    init?(_ arguments: [[UInt8]]) {
        var positional: [[UInt8]] = []
        var rest = arguments.dropFirst()[...]
        while let argument = rest.popFirst() {
            switch String(decoding: argument, as: UTF8.self) {
            case "--leave-out":
                guard let name = rest.popFirst(), !name.isEmpty else { return nil }
                leaveOut.append(name)
            case "--leave-out-prefix":
                guard let prefix = rest.popFirst(), !prefix.isEmpty else { return nil }
                leaveOutPrefixes.append(prefix)
            case "--arrivals": onlyArrivals = true
            case "--leak-limit":
                guard let text = rest.popFirst(), let limit = Int(String(decoding: text, as: UTF8.self)) else {
                    return nil
                }
                leakLimit = limit
            case "--open-time":
                guard let text = rest.popFirst(), let seconds = UInt32(String(decoding: text, as: UTF8.self)) else {
                    return nil
                }
                openTime = seconds
            default: positional.append(argument)
            }
        }
        guard positional.count == 2, !positional[0].isEmpty, !positional[1].isEmpty else { return nil }
        (root, control) = (positional[0], positional[1])
    }

    /// Of a name directly beneath the root.
    func leavesOut(_ name: [UInt8]) -> Bool {
        leaveOut.contains(name) || leaveOutPrefixes.contains { name.starts(with: $0) }
    }

    static func ofProcess() -> Arguments? {
        let count = Int(CommandLine.argc)
        let vector = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: count)
        return Arguments(
            vector.compactMap {
                $0.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))).map(UInt8.init(bitPattern:)) }
            })
    }
}
