import DriveCore
import DriveTransport

/// Runs a conformance case against devices.
public struct MergeCaseRunner {
    private let mergeCase: MergeCase
    private let clock = ManualClock()
    private var devices: [String: any SimulatedDevice] = [:]

    /// Throws what differs. `makeDevice` makes devices A, B and C.
    public static func run(_ mergeCase: MergeCase, makeDevice: MakeDevice) async throws {
        var runner = MergeCaseRunner(mergeCase: mergeCase)
        try await runner.run(makeDevice)
    }

    private init(mergeCase: MergeCase) { self.mergeCase = mergeCase }

    private mutating func run(_ makeDevice: MakeDevice) async throws {
        let store = MemoryObjectStore(clock: clock)
        for label in mergeCase.devices {
            let number = Int(label.utf8.first ?? 0x41) - 0x41
            let setup = DeviceSetup(number: number, store: store, clock: clock, seed: 7)
            devices[label] = try await makeDevice(setup)
        }
        for operation in mergeCase.start { try await perform(operation, on: device("A")) }
        try await rest()
        for round in mergeCase.rounds {
            for (label, operations) in round.turns {
                let device = try device(label)
                for operation in operations {
                    clock.advance(by: 10 * RunPlan.tick)
                    try await perform(operation, on: device)
                }
                clock.advance(by: 10 * RunPlan.tick)
                _ = try await device.scan()
            }
            try await rest()
        }
        try await check()
    }

    private func device(_ label: String) throws -> any SimulatedDevice {
        try requireValue(devices[label], "device \(label)")
    }

    private var inOrder: [any SimulatedDevice] { mergeCase.devices.compactMap { devices[$0] } }

    private func rest() async throws {
        try await Quiescence(devices: inOrder, clock: clock).reach()
        clock.advance(by: 100 * RunPlan.tick)
    }

    private func perform(_ operation: MergeCase.Operation, on device: any SimulatedDevice) async throws {
        switch operation {
        case .scan:
            _ = try await device.scan()
            try await device.commit(compacting: false)
        case .fetch(let labels): try await device.fetch(only: labels)
        case .apply: try await device.apply()
        case .has(let path, let entry, let isThere):
            let found = Self.find(path, in: device.folder).flatMap { device.folder.entry(at: $0) }
            try require(
                (found == entry) == isThere, "\(path) on \(device.label) should \(isThere ? "" : "not ")be \(entry)")
        case .isTrashed(let bytes, let isThere):
            let found = device.folder.trashContents().contains(bytes)
            try requireEqual(found, isThere, "\(String(decoding: bytes, as: UTF8.self)) in the trash")
        default: try Self.act(operation, in: device.folder)
        }
    }

    private static func act(_ operation: MergeCase.Operation, in folder: MemoryFolder) throws {
        func place(_ path: DrivePath) throws -> Place { try requireValue(find(path, in: folder), "\(path)") }
        let isDone: Bool
        switch operation {
        case .create(let path, let bytes): isDone = folder.create(bytes, at: try place(path))
        case .write(let path, let bytes):
            isDone = try folder.write(bytes, at: place(path)) || folder.create(bytes, at: place(path))
        case .save(let path, let bytes): isDone = folder.save(bytes, at: try place(path))
        case .saveWithBackup(let path, let bytes): isDone = folder.saveWithBackup(bytes, at: try place(path))
        case .makeFolder(let path): isDone = folder.makeFolder(at: try place(path))
        case .remove(let path): isDone = folder.remove(at: try place(path))
        case .toggleExecutable(let path):
            isDone = folder.setExecutable(!folder.isExecutable(at: try place(path)), at: try place(path))
        case .copy(let path, let target): isDone = folder.copy(from: try place(path), to: try place(target))
        case .move(let path, let target): isDone = folder.move(from: try place(path), to: try place(target))
        case .swap(let path, let other): isDone = folder.swap(try place(path), try place(other))
        default: isDone = true
        }
        try require(isDone, "\(operation) could not be done")
    }

    /// `*` in a component stands for any bytes; the first name in order that fits is meant.
    static func find(_ path: DrivePath, in folder: MemoryFolder) -> Place? {
        var number = MemoryFolder.root
        for (depth, name) in path.components.enumerated() {
            var place = Place(folder: number, name: name)
            if name.bytes.contains(0x2A), folder.number(at: place) == nil {
                let found = folder.walk(from: number).first {
                    $0.place.folder == number && fits($0.place.name.bytes[...], name.bytes[...])
                }
                guard let found else { return nil }
                place = found.place
            }
            if depth == path.components.count - 1 { return place }
            guard let next = folder.number(at: place) else { return nil }
            number = next
        }
        return nil
    }

    static func fits(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        if first == 0x2A {
            let rest = pattern.dropFirst()
            return (name.startIndex...name.endIndex).contains { fits(name[$0...], rest) }
        }
        return name.first == first && fits(name.dropFirst(), pattern.dropFirst())
    }

    private func check() async throws {
        let first = try requireValue(inOrder.first, "a device")
        let view = try await first.view()
        for device in inOrder {
            try requireEqual(Self.text(device.folder.tree()), Self.text(view.tree), "tree of \(device.label)")
        }
        var found: [DrivePath: TreeEntry] = [:]
        for (path, entry) in view.tree { found[path.pattern] = entry }
        try requireEqual(Self.text(found), Self.text(mergeCase.expected), "the tree")
        try requireEqual(view.derived.count, mergeCase.conflictCopies, "conflict copies")
        let live = Set(view.tree.values)
        let trashed = Set(inOrder.flatMap { $0.folder.trashContents() }).filter { !live.contains(.file($0)) }
        try requireEqual(Self.text(trashed), Self.text(Set(mergeCase.kept)), "kept contents")
    }

    private static func text(_ tree: [DrivePath: TreeEntry]) -> [String] {
        tree.sorted { $0.key < $1.key }.map { path, entry in
            switch entry {
            case .folder: "\(path)/"
            case .other: "\(path) special"
            case .file(let bytes), .link(let bytes): "\(path)=\(String(decoding: bytes, as: UTF8.self))"
            }
        }
    }

    private static func text(_ contents: Set<[UInt8]>) -> [String] {
        contents.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }
}
