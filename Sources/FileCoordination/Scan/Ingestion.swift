import DriveCore

/// Reads what a scan must know about contents: one pass over each file hashes it and stores what the store lacks, so
/// that a record never names bytes which are not there.
struct Ingestion {
    let parts: DriveParts
    let places: [WalkPlace]
    private(set) var problems: [FoundProblem] = []
    /// What is being written now, by its place among the sightings.
    private(set) var beingWritten: Set<Int> = []
    /// What is too large to be kept here while it cannot be sent, likewise.
    private(set) var tooLarge: Set<Int> = []
    /// What was there when its folder was listed, and is not any more, likewise.
    private(set) var gone: Set<Int> = []
    /// What somebody who coordinates has to write it, likewise.
    private(set) var inUse: Set<Int> = []
    /// What the store refuses, and takes nothing of for a while, likewise.
    var refused: Set<Int> = []
    /// Of what there is a problem, likewise.
    private var named: Set<Int> = []
    var copies: RefusedCopies
    private var lastFolder: (area: FileArea, path: DrivePath, open: OpenFolder)?
    /// The top of its area, which was found to be the drive's when it was opened; nothing below is opened by another way.
    private var top: (area: FileArea, open: OpenFolder)?
    /// The first folders from there down to it.
    private var way: [(name: FileName, open: OpenFolder)] = []
    /// More are not kept open: trees may be deeper than a process may have open files.
    private let longestWay = OpenFolderLimits.ofProcess().read

    private let offer: ContentOffer.Need?
    private let listed = ListedChunks()
    /// The file that is being read.
    private let source = UploadSource()

    init(_ parts: DriveParts, places: [WalkPlace], offer: ContentOffer.Need? = nil) {
        self.parts = parts
        self.offer = offer
        self.places = places
        copies = RefusedCopies(parts)
    }

    /// Fills in contents and attributes of these sightings. What changes while it is read stays unsettled.
    mutating func read(
        _ places: Range<Int>, of sightings: inout Sightings, _ identification: Identification
    ) async throws {
        var left = Array(places)
        // Whatever ends it: the next look knows that it was refused, and what of.
        defer { try? copies.flush() }
        while let lost = try await readOnce(left, of: &sightings, identification) {
            // What was said of a file holds, and so does what lies elsewhere.
            left.removeAll { place in
                let sighting = sightings.list[place]
                return sighting.isUnsettled || named.contains(place)
                    || sighting.content.map { !$0.mayLie(in: lost) } ?? false
            }
            for place in left where sightings.list[place].content != nil {
                (sightings.list[place].content, sightings.list[place].attributes) = (nil, nil)
            }
        }
    }

    /// The object that was to hold several of their contents, and that the store has refused: they are to be read again, and go in
    /// smaller parts. Nil where all is done.
    private mutating func readOnce(
        _ places: [Int], of sightings: inout Sightings, _ identification: Identification
    ) async throws -> ObjectKey? {
        let known = parts.state
        let damaged = try DamagedObjects(known).keys()
        let isLost = offer?.isLost ?? { damaged.contains($0) }
        let (listed, source) = (listed, source)
        let writer = parts.transport?.contentWriter(
            known: { id in
                source.noteUse(of: id)
                if let chunk = listed[id], !isLost(chunk.object) { return chunk }
                guard let chunk = try known.knownChunk(id) else { return nil }
                let uploaded = try known.uploadedChunk(id)
                if let uploaded { try source.claim(uploaded, known) }
                if !isLost(chunk.object) { return chunk }
                // It was stored again, and no record says so yet.
                return uploaded.flatMap { isLost($0.chunk.object) ? nil : $0.chunk }
            },
            stored: { try source.add($0, known) }, listed: { try known.listUploaded($0) })
        // Who begins later is noticed once the file was read.
        let isAnybodyThere = parts.transport != nil && parts.claims?.isAnybodyThere == true
        for place in places {
            let sighting = sightings.list[place]
            if sighting.isUnsettled { continue }
            // Folders that are known are looked into all the same.
            let isKnownFolder = sighting.facts.kind == .folder && identification.rows[place] != nil
            if isAnybodyThere, !isKnownFolder, isInUse(place) {
                inUse.insert(place)
                sightings.list[place].withhold()
                continue
            }
            if let id = identification.rows[place], let row = try parts.state.row(id),
                row.facts.looksUnchanged(since: sighting.facts), !sighting.isOfferedAgain,
                row.hash != nil || row.kind == .folder
            {
                continue
            }
            do { try await read(place, &sightings.list[place], identification.rows[place], writer) } catch {
                if let lost = writer?.givenUp { return lost }
                throw error
            }
            if sightings.list[place].isOfferedAgain, let id = identification.rows[place] {
                try withhold(&sightings.list[place], place, id)
            }
        }
        if let writer {
            let stored: [ChunkReference]
            do { stored = try await writer.finish() } catch {
                if let lost = writer.givenUp { return lost }
                throw error
            }
            // Of an interrupted import little is sent again.
            if stored.reduce(0, { $0 + UInt64($1.storedLength) }) >= parts.options.rememberedUpload {
                try parts.state.addUploaded(stored, of: nil)
            }
        }
        return nil
    }

    /// Not asked where nothing is sent: an index is to say what is there.
    private func isInUse(_ place: Int) -> Bool {
        parts.transport != nil && parts.claims?.isBeingWritten(places[place].path) == true
    }

    /// The store has lost what this file is recorded to hold, and the file holds something else though nobody touched it:
    /// that is no replacement for what was lost.
    private mutating func withhold(_ sighting: inout Sighting, _ place: Int, _ id: RowID) throws {
        guard let row = try parts.state.row(id), let content = sighting.content, content.hash != row.hash,
            row.facts.looksUnchanged(since: sighting.facts)
        else { return }
        sighting.content = nil
        sighting.attributes = nil
        note(
            "its bytes changed, its dates did not: save it again if you mean it to be as it is", .bytesWithoutDates,
            of: place)
    }

    private mutating func read(
        _ place: Int, _ sighting: inout Sighting, _ row: RowID?, _ writer: (any ContentWriter)?
    ) async throws {
        let seen = sighting.facts
        do {
            guard let folder = try openFolder(of: places[place]) else { return leave(place, &sighting) }
            switch sighting.facts.kind {
            case .folder:
                sighting.attributes = Attributes(
                    extended: try parts.files.extendedAttributes(of: sighting.name, in: folder))
            case .link: try readLink(place, &sighting, in: folder)
            case .file where sighting.facts.size > parts.options.longestFile():
                tooLarge.insert(place)
                sighting.isUnsettled = true
            case .file where try isRefused(place, &sighting, row, writer): break
            case .file:
                if parts.options.mayRead(sighting.name, folder, places[place].path) {
                    try await readFile(place, &sighting, row, in: folder, writer)
                } else {
                    beingWritten.insert(place)
                    sighting.isUnsettled = true
                }
            case .other: break
            }
        } catch let failure as StoringFailure {
            // Others' files may pass.
            guard writer?.isRefusedAlone == true, writer?.givenUp == nil else { throw failure.error }
            try refuse(failure.error, seen, place, &sighting, row)
        } catch let error as DriveError where error.kind == .notFound {
            leave(place, &sighting)
        } catch let error as DriveError where error.remedy == .skip {
            note(error.message, Cause(reading: error), of: place)
            sighting.isUnsettled = sighting.facts.kind != .folder
        }
    }

    mutating func note(_ reason: String, _ cause: Cause, of place: Int) {
        problems.append(FoundProblem(places[place].path, reason, cause))
        named.insert(place)
    }

    /// It was moved or deleted meanwhile: the next look finds out.
    private mutating func leave(_ place: Int, _ sighting: inout Sighting) {
        gone.insert(place)
        sighting.isUnsettled = true
    }

    private mutating func readFile(
        _ place: Int, _ sighting: inout Sighting, _ row: RowID?, in folder: OpenFolder, _ writer: (any ContentWriter)?
    ) async throws {
        let (path, began) = (places[place].path, parts.clock.milliseconds())
        if parts.restless.rests(path, sighting.facts, now: began) { return sighting.isUnsettled = true }
        if writer == nil, await readAsSeen(place, &sighting, in: folder) { return }
        if writer != nil { try await listed.learn(of: places[place].path, row, sighting.facts.size, parts) }
        for isSteady in [false, true] {
            guard let opened = try parts.files.read(sighting.name, in: folder),
                opened.facts.identity == sighting.facts.identity, !isInUse(place)
            else { break }
            let alert = parts.alert(isSteady ? SteadyReader(opened) : opened, opened, isSteady, sighting.name, folder)
            let reader = coordinated(alert, place)
            if let content = try await content(of: reader, place, writer) {
                return try take(content, of: reader, &sighting)
            }
        }
        if isInUse(place) {
            inUse.insert(place)
            sighting.withhold()
        } else if try parts.files.look(at: sighting.name, in: folder) == nil {
            gone.insert(place)
        } else {
            let now = parts.clock.milliseconds()
            parts.restless.readInVain(path, sighting.facts, cost: now - min(began, now), now: now)
        }
        sighting.isUnsettled = true
    }

    private func coordinated(_ reader: any FileReader, _ place: Int) -> any FileReader {
        guard parts.transport != nil, let claims = parts.claims else { return reader }
        let path = places[place].path
        return CoordinatedReader(reader) { claims.isBeingWritten(path) }
    }

    /// Where nothing is stored a file is read as the walk saw it, which saves a look at each; false where that does not go.
    private func readAsSeen(_ place: Int, _ sighting: inout Sighting, in folder: OpenFolder) async -> Bool {
        guard sighting.facts.size > 0 else { return false }
        do {
            guard let reader = try parts.files.read(sighting.name, in: folder, as: sighting.facts),
                reader.facts.identity == sighting.facts.identity,
                let content = try await content(of: reader, place, nil)
            else { return false }
            try take(content, of: reader, &sighting)
            return true
        } catch {
            // Read as it is now, it is said what is in the way.
            return false
        }
    }

    private func content(
        of reader: any FileReader, _ place: Int, _ writer: (any ContentWriter)?
    ) async throws -> Content? {
        let progress = parts.progress(of: reader.facts.size)
        let content: Content?
        if let writer {
            source.begin(places[place].path)
            let watched = BlamedReader(reader)
            do {
                content = try await writer.add(
                    progress.map { FollowedReader(watched, $0) } ?? watched, like: listed.lists)
            } catch {
                try? source.leave(error, parts.state)
                if watched.hasFailed { throw error }
                throw StoringFailure(error: error)
            }
        } else {
            content = try reader.hash({ progress?.add($0.count) }).map { hash, size in
                Content(hash: hash, size: size, modified: reader.facts.modified, body: .chunks([]))
            }
        }
        if let content { parts.note(done: content.size, progress) }
        return content
    }

    private func take(_ content: Content, of reader: any FileReader, _ sighting: inout Sighting) throws {
        let extended = try reader.extendedAttributes()
        sighting.facts = reader.facts
        sighting.content = content
        sighting.attributes = Attributes(
            isExecutable: reader.facts.isExecutable, modified: reader.facts.modified, extended: extended)
    }

    private mutating func readLink(_ place: Int, _ sighting: inout Sighting, in folder: OpenFolder) throws {
        guard let target = try parts.files.readLink(sighting.name, in: folder),
            let facts = try parts.files.look(at: sighting.name, in: folder)
        else { return leave(place, &sighting) }
        guard facts.looksUnchanged(since: sighting.facts) else {
            sighting.isUnsettled = true
            return
        }
        sighting.content = Content(
            hash: parts.files.contentHash(ofLinkTarget: target), size: UInt64(target.count), modified: facts.modified,
            body: .inline(target))
        sighting.attributes = Attributes(modified: facts.modified)
    }

    mutating func openFolder(of place: WalkPlace) throws -> OpenFolder? {
        let path = place.inArea.parent
        if let lastFolder, lastFolder.area == place.area, lastFolder.path == path { return lastFolder.open }
        if top?.area != place.area { (top, way) = ((place.area, try parts.files.open(place.area)), []) }
        let shared = zip(way, path.components).prefix { $0.name == $1 }.count
        way.removeSubrange(shared...)
        guard var folder = way.last?.open ?? top?.open else { return nil }
        for (depth, name) in path.components.enumerated().dropFirst(shared) {
            guard let next = try parts.files.open(name, in: folder) else { return nil }
            folder = next
            if depth < longestWay { way.append((name, folder)) }
        }
        lastFolder = (place.area, path, folder)
        return folder
    }
}

extension Content {
    /// A list may name anything.
    fileprivate func mayLie(in object: ObjectKey) -> Bool {
        if case .list = body { return true }
        return namedChunks.contains { $0.object == object }
    }
}
