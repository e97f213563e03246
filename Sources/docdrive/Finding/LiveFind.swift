import DocumentDrive
import DriveCore

/// `find -live`: what is found, then each change of it as it comes, until somebody ends it, or what is printed cannot be written.
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
        var places: [MetadataItem.ID: DrivePath] = [:]
        var count = 0
        let query = try MetadataQuery(drive, question)
        await query.setBatchingInterval(batch)
        for await event in await query.start() {
            switch event {
            case .startedGathering: break
            case .finishedGathering(let items):
                count = items.count
                print(MetadataChanges(added: items), "found", count, &places)
            case .updated(let changes):
                count += changes.added.count - changes.removed.count
                print(changes, "added", count, &places)
            case .failed(let error): throw error
            }
            Output.flush()
            if Output.isLost { return }
        }
    }

    private func print(
        _ changes: MetadataChanges, _ word: String, _ count: Int, _ places: inout [MetadataItem.ID: DrivePath]
    ) {
        if countsOnly {
            return Output.line(output.isJSON ? JSONText.line(CountJSON(count: count)) : "\(count)")
        }
        // What leaves a place comes first: another may have got it meanwhile.
        for item in changes.removed {
            print(item, "removed", "- ")
            places[item.id] = nil
        }
        var moved: [MetadataItem.ID: DrivePath] = [:]
        for item in changes.changed {
            guard let old = places.updateValue(item.path, forKey: item.id), old != item.path else { continue }
            moved[item.id] = old
            if !output.isJSON { printer.print(old, after: "- ") }
        }
        for item in changes.changed {
            let old = moved[item.id]
            print(item, "changed", old == nil ? "~ " : "+ ", from: old)
        }
        for item in changes.added {
            print(item, word, word == "found" ? "" : "+ ")
            places[item.id] = item.path
        }
    }

    private func print(_ item: MetadataItem, _ word: String, _ mark: String, from old: DrivePath? = nil) {
        guard output.isJSON else { return printer.print(item.path, after: mark) }
        Output.line(
            JSONText.line(
                ChangeJSON(
                    change: word, id: item.id, from: old?.description, fromBase64: old?.base64IfNeeded,
                    item: ItemJSON(item.found))))
    }

    private struct ChangeJSON: Encodable {
        var v = 1
        var type = "change"
        /// `found` at first, then `added`, `changed` or `removed`.
        var change: String
        /// The same for an item as long as the search goes on, whatever it is called; another until it is here.
        var id: Int64
        /// Where a changed item was before, if it was moved.
        var from: String?
        var fromBase64: String?
        var item: ItemJSON
    }
}
