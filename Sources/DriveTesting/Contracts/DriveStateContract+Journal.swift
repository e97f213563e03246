import DriveCore
import DriveTransport

// What is to be published, what is published, and what happened.
extension DriveStateContract {
    static func keepsPending(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 51)
        let device = tables.devices[0]
        try state.setNumbers(RecordNumbers(device: device))
        let groups = (1...4).map { group in
            RecordGroup(
                records: (1...3).map { place in
                    var state = tables.state(tables.ids[place])
                    state.context[device] = UInt64(group * 10 + place)
                    return state
                })
        }
        for group in groups { try state.addPending(group) }
        try requireEqual(state.pendingGroups(), groups, "groups in order")
        try state.removePending(through: 9)
        try requireEqual(state.pendingGroups(), groups, "none is published")
        try state.removePending(through: 22)
        try requireEqual(state.pendingGroups(), Array(groups[1...]), "a group that is half published stays")
        try state.removePending(through: 33)
        try requireEqual(state.pendingGroups(), [groups[3]], "the last group")
        try state.setPending(Array(groups[..<2]))
        try requireEqual(state.pendingGroups(), Array(groups[..<2]), "replaced groups")
    }

    static func keepsOwnRecords(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 61)
        let ids = tables.ids
        try state.save(tables.storedItem(ids[0]))
        try requireEqual(state.ownRecord(of: ids[0]), nil, "no own record at first")
        try state.setOwnRecord(OwnRecord(n: 5), of: ids[0])
        try state.setOwnRecord(OwnRecord(n: .max, covered: 7), of: ids[1])
        try state.save(tables.storedItem(ids[0]))
        try state.save(tables.storedItem(ids[1]))
        try requireEqual(state.ownRecord(of: ids[0]), OwnRecord(n: 5), "saving an item leaves it")
        try requireEqual(
            state.ownRecord(of: ids[1]), OwnRecord(n: .max, covered: 7), "of an item that was not saved yet")
        try state.setOwnRecord(nil, of: ids[0])
        try requireEqual(state.ownRecord(of: ids[0]), nil, "a removed one")
        try state.removeOwnRecords()
        try requireEqual(state.ownRecord(of: ids[1]), nil, "all removed")
    }

    static func knowsChunks(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 71)
        let uploaded = [tables.chunk(), tables.chunk()]
        try state.addUploaded(uploaded, of: nil)
        for chunk in uploaded { try requireEqual(state.knownChunk(chunk.id), chunk, "an uploaded chunk") }
        try requireEqual(state.knownChunk(tables.hash()), nil, "an unknown chunk")
        var chunks: [ChunkReference] = []
        var dead: [ChunkReference] = []
        for id in tables.ids {
            let item = tables.storedItem(id)
            try state.save(item)
            let named = item.state.heads.flatMap(\.content.namedChunks)
            if item.shape.isAlive { chunks += named } else { dead += named }
        }
        for chunk in chunks { try requireEqual(state.knownChunk(chunk.id), chunk, "a chunk of a living item") }
        for chunk in dead { try requireEqual(state.knownChunk(chunk.id), nil, "a chunk that only dead items have") }
        var item = tables.storedItem(tables.ids[9])
        item.shape.isAlive = true
        let content = Content(hash: tables.hash(), size: 9, modified: tables.time(), body: .chunks(uploaded))
        item.state.heads = [Head(dot: tables.dot(), time: .zero, content: content)]
        try state.save(item)
        for chunk in uploaded { try requireEqual(state.knownChunk(chunk.id), chunk, "uploaded, then referred to") }
        item.shape.isAlive = false
        try state.save(item)
        for chunk in uploaded { try requireEqual(state.knownChunk(chunk.id), nil, "of an item that died") }
        let more = [tables.chunk(), tables.chunk()]
        try state.addUploaded(more, of: nil)
        try state.forgetUploaded(in: [more[0].object])
        try requireEqual(state.knownChunk(more[0].id), nil, "in an object that is going")
        try requireEqual(
            state.knownChunk(more[1].id), more[0].object == more[1].object ? nil : more[1], "in another object")
    }

    static func knowsWhatWasNeverNamed(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 72)
        func unfinished() throws -> Set<UnfinishedUpload> { Set(try state.unfinishedUploads()) }
        var chunks = (0..<5).map { _ in tables.chunk() }
        for place in chunks.indices { chunks[place].object = "blob/\(place)" }
        try requireEqual(unfinished(), [], "nothing uploaded")
        try state.addUploaded([chunks[0]], of: nil)
        try state.addUploaded(Array(chunks[1...3]), of: "films/one")
        try state.addUploaded([chunks[4]], of: "other")
        let films = chunks[1...3].map { UnfinishedUpload($0, of: "films/one") }
        let other = UnfinishedUpload(chunks[4], of: "other")
        try requireEqual(unfinished(), Set(films + [other]), "those that have a source")
        for chunk in chunks { try requireEqual(state.knownChunk(chunk.id), chunk, "an uploaded chunk") }
        var elsewhere = chunks[4]
        elsewhere.object = "blob/elsewhere"
        try state.listUploaded([chunks[0], chunks[1], elsewhere])
        try requireEqual(unfinished(), Set(films[1...] + [other]), "those that no list names where they are")
        try requireEqual(state.knownChunk(chunks[1].id), chunks[1], "a chunk that a list names")
        try state.abandonUploads(of: "films/one", but: [chunks[2].id, chunks[4].id])
        let abandoned = UnfinishedUpload(chunks[3], of: .root)
        try requireEqual(state.knownChunk(chunks[3].id), nil, "what is about to go")
        try requireEqual(state.uploadedChunk(chunks[3].id)?.chunk, nil, "what is about to go")
        try requireEqual(state.uploadedChunk(chunks[2].id)?.source, "films/one", "the source")
        try requireEqual(state.uploadedChunk(chunks[1].id)?.source, nil, "the source of what a list names")
        try requireEqual(unfinished(), [films[1], abandoned, other], "those that the file has no use for")
        var item = tables.storedItem(tables.ids[9])
        func content(_ chunk: ChunkReference) -> Content {
            Content(hash: tables.hash(), size: 9, modified: tables.time(), body: .chunks([chunk]))
        }
        item.state.heads = [Head(dot: tables.dot(), time: .zero, content: content(chunks[2]))]
        try state.save(item)
        try requireEqual(unfinished(), [abandoned, other], "those that no item names")
        // A record that another of the same item takes the place of before the transaction ends.
        try state.transaction {
            item.state.heads[0].content = content(chunks[3])
            try state.addPending(RecordGroup(records: [item.state]))
            item.state.heads[0].content = content(tables.chunk())
            try state.addPending(RecordGroup(records: [item.state]))
            try state.save(item)
        }
        try requireEqual(unfinished(), [other], "those that no record names")
        try state.forgetUploaded(in: [chunks[4].object])
        try requireEqual(unfinished(), [], "forgotten ones")
    }

    static func keepsDiary(_ state: any DriveState) throws {
        for time in 1...300 as ClosedRange<UInt64> { try state.log(DriveEvent(time: time, kind: .edited, path: "f")) }
        try requireEqual(state.events(limit: 3).map(\.time), [300, 299, 298], "the newest events, newest first")
        try requireEqual(state.events(limit: 1_000).count, 300, "all events")
        let scan = Problem(path: "a", reason: "r", source: .scan, since: 1)
        let apply = Problem(path: "b", reason: "r", source: .apply, since: 2)
        try state.setProblems([scan, scan], from: .scan)
        try state.setProblems([apply], from: .apply)
        try state.setProblems([scan], from: .scan)
        try requireEqual(Set(state.problems()), [scan, apply], "problems of both sources")
        try state.setProblems([], from: .apply)
        try requireEqual(state.problems(), [scan], "problems of one source")
        try state.setSetting([], "empty")
        try requireEqual(state.setting("empty"), [], "no bytes are a value")
        try state.setSetting(nil, "empty")
        try requireEqual(state.setting("empty"), nil, "a removed setting")
    }
}
