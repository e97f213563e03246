import DocumentDrive
import DriveCore

/// `find -live`: what is found, then each change of it as it comes, until somebody ends it.
struct LiveFind {
    let request: FindRequest
    let output: OutputOptions
    let printer: FoundPrinter
    let countsOnly: Bool
    let batch: Duration

    func run(_ drive: FolderPath) async throws {
        var filter = request.query
        // What is first changes; the question cuts what is in order.
        filter.limit = nil
        var question = MetadataQuery.Question(filter: filter)
        question.order = request.order
        question.limit = request.limit
        let query = try MetadataQuery(drive, question)
        await query.setBatchingInterval(batch)
        for await event in await query.start() {
            switch event {
            case .startedGathering: break
            case .finishedGathering:
                print(MetadataChanges(added: await query.results), "found", await query.resultCount)
            case .updated(let changes): print(changes, "added", await query.resultCount)
            case .failed(let error): throw error
            }
            Output.flush()
        }
    }

    private func print(_ changes: MetadataChanges, _ word: String, _ count: Int) {
        if countsOnly { return Output.line("\(count)") }
        for item in changes.added { print(item, word, word == "found" ? "" : "+ ") }
        for item in changes.changed { print(item, "changed", "~ ") }
        for item in changes.removed { print(item, "removed", "- ") }
    }

    private func print(_ item: MetadataItem, _ word: String, _ mark: String) {
        if output.json || output.jsonl {
            Output.line(JSONText.line(ChangeJSON(change: word, item: ItemJSON(item.found))))
        } else {
            Output.line(mark + printer.text(item.path))
        }
    }

    private struct ChangeJSON: Encodable {
        var v = 1
        var type = "change"
        /// `found` at first, then `added`, `changed` or `removed`.
        var change: String
        var item: ItemJSON
    }
}
