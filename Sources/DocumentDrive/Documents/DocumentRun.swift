import DriveCore
import DriveImporting
import DriveIndex

/// One walk over what is to be read, some files at a time.
struct DocumentRun {
    private let indexing: DocumentIndexing
    private let books: DocumentIndexing.Books
    private let now: UInt64
    private(set) var outcome = DocumentIndexing.Outcome()

    /// Files that are read at the same time, and about how many bytes of them: what is read is in memory until it is saved.
    private static let fileLimit = 48
    private static let byteLimit: UInt64 = 32 << 20
    /// Files that are looked at together: after a power cut all are, and hardly one is to be read.
    private static let lookLimit = 2_048

    init(_ indexing: DocumentIndexing, _ books: DocumentIndexing.Books, now: UInt64) {
        self.indexing = indexing
        self.books = books
        self.now = now
    }

    /// Those whose time has come, or all that may do better.
    mutating func retry(all: Bool) async throws {
        let due = try books.search.failures(dueBy: all ? nil : now).filter { held in
            // Those that changed meanwhile are read anyway.
            try RetryPlan.isWorthRepeating(held.failure) && held.isOf(books.rows.row(held.row))
        }
        let earlier = Dictionary(uniqueKeysWithValues: due.map { ($0.row, $0.failure) })
        var rest = due.map(\.row)[...]
        while !rest.isEmpty { rest = rest.dropFirst(try await read(Array(rest), earlier: earlier)) }
    }

    mutating func readChanged() async throws {
        var last = RowID.root
        while true {
            let rows = try books.rows.unreadRows(after: last, limit: Self.lookLimit)
            guard !rows.isEmpty else { return }
            last = rows[try await read(rows) - 1]
        }
    }

    mutating func readNew() async throws {
        while true {
            let rows = try books.rows.newFiles(limit: Self.lookLimit)
            guard !rows.isEmpty else { return }
            _ = try await read(rows, isNew: true)
        }
    }

    /// Reads the first of the rows, and says how many.
    private mutating func read(
        _ rows: [RowID], earlier: [RowID: DocumentFailure] = [:], isNew: Bool = false
    ) async throws -> Int {
        try Task.checkCancellation()
        await indexing.gate.pass()
        let batch = try batch(rows, isRepeated: !earlier.isEmpty)
        let results = await indexing.importing(batch.jobs)
        try Task.checkCancellation()
        var versions = batch.versions
        try books.search.transaction {
            for id in batch.gone { try books.search.remove(id) }
            for (job, result) in zip(batch.jobs, results) {
                guard let result else {
                    outcome.changed += 1
                    continue
                }
                try save(result, job, earlier[job.row])
                versions[job.row] = .some(job.version)
            }
            try books.search.countWrite()
        }
        // Now it is on the disk.
        let last = isNew ? rows[batch.count - 1] : nil
        let read = versions
        let writes = try books.search.writes()
        try await indexing.writing { try $0.noteRead(read, through: last, writes: writes) }
        return batch.count
    }

    private mutating func save(
        _ result: Result<ImportedMetadata, ImportFailure>, _ job: DocumentJob, _ earlier: DocumentFailure?
    ) throws {
        switch result {
        case .success(let metadata):
            try books.search.save(DocumentContent(metadata), of: job.row, as: job.version)
            outcome.read += 1
        case .failure(let failure):
            try books.search.save(
                RetryPlan.failure(failure, after: earlier, now: now), of: job.row, as: job.version)
            outcome.failed += 1
        }
    }

    private struct Batch {
        var jobs: [DocumentJob] = []
        /// What there is nothing to read of.
        var versions: [RowID: DocumentVersion?] = [:]
        var gone: [RowID] = []
        var count = 0
    }

    private func batch(_ rows: [RowID], isRepeated: Bool) throws -> Batch {
        var batch = Batch()
        var bytes: UInt64 = 0
        try books.rows.transaction {
            var hidden = try HiddenPlaces(books.rows)
            for id in rows {
                if batch.jobs.count == Self.fileLimit || bytes >= Self.byteLimit { break }
                batch.count += 1
                guard let row = try books.rows.row(id), let version = DocumentVersion(row) else {
                    batch.versions[id] = .some(nil)
                    batch.gone.append(id)
                    continue
                }
                // Nothing of it is searched; it stays unread until no rule hides it.
                if try hidden.hides(row) { continue }
                if try !isRepeated && books.search.holds(version, of: id) {
                    batch.versions[id] = .some(version)
                    continue
                }
                bytes += row.facts.size
                let path = try books.rows.path(of: row)
                batch.jobs.append(
                    DocumentJob(
                        row: id, version: version, facts: row.facts,
                        path: FolderPath(indexing.folder.bytes + [0x2F] + path.bytes)))
            }
        }
        return batch
    }
}

/// A file that is to be read.
struct DocumentJob: Sendable {
    let row: RowID
    let version: DocumentVersion
    let facts: FileFacts
    let path: FolderPath
}

extension DocumentIndexing {
    /// Nil for a file that is, or became, another than the index says.
    fileprivate nonisolated func importing(
        _ jobs: [DocumentJob]
    ) async -> [Result<ImportedMetadata, ImportFailure>?] {
        await withTaskGroup(of: (Int, Result<ImportedMetadata, ImportFailure>?).self) { group in
            for (place, job) in jobs.enumerated() {
                group.addTask { [pool] in
                    guard FileLook.isSame(job.path, as: job.facts) else { return (place, nil) }
                    let result = await pool.importing(path: job.path.bytes)
                    return (place, FileLook.isSame(job.path, as: job.facts) ? result : nil)
                }
            }
            var results = [Result<ImportedMetadata, ImportFailure>?](repeating: nil, count: jobs.count)
            for await (place, result) in group { results[place] = result }
            return results
        }
    }
}
