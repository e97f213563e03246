import DriveCore
import DriveIndex
import DriveTesting
import Testing

@Suite struct MaintenanceTests {
    /// The rules of the view run over both stores; what they keep must be the same.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func viewIsKeptAsInMemory(seed: UInt64) throws {
        let index = try DriveIndex(path: nil)
        let memory = MemoryState(device: DeviceID(high: 1, low: 1), label: "here")
        let states = DriveStateContract.randomStates(seed: seed, count: 60)
        for start in stride(from: 0, to: states.count, by: 5) {
            for tables in [index, memory] as [any DriveState] {
                try tables.transaction {
                    let joined = try states[start..<start + 5].reduce(into: [ItemID: ItemState]()) { known, state in
                        let old = try known[state.id] ?? tables.item(state.id)?.state
                        known[state.id] = old.map { $0.joined(state) } ?? state
                    }
                    var maintenance = ViewMaintenance(tables)
                    try maintenance.put(joined.values.sorted { $0.id < $1.id })
                }
            }
            #expect(try Set(index.allItems()) == Set(memory.allItems()))
            #expect(try index.dirt() == memory.dirt())
            #expect(try ViewReader(index).allEntries() == ViewReader(memory).allEntries())
        }
    }
}
