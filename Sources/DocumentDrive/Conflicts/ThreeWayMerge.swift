import DriveCore
import Glibc

/// Merges two texts that come from a common one, by diff3(1) of GNU diffutils.
public struct ThreeWayMerge: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case clean([UInt8])
        /// Both changed the same lines: the text with both sides between markers, as diff3 -m has it.
        case overlap([UInt8])
    }

    /// What the sides are called in the markers.
    public var labels: [String]

    public init(labels: [String] = ["current", "ancestor", "copy"]) { self.labels = labels }

    public func merge(_ current: [UInt8], ancestor: [UInt8], _ copy: [UInt8]) throws -> Outcome {
        if current == copy || copy == ancestor { return .clean(current) }
        if current == ancestor { return .clean(copy) }
        let folder = try TemporaryFiles()
        defer { folder.remove() }
        let sides = [try folder.write(current, "a"), try folder.write(ancestor, "o"), try folder.write(copy, "b")]
        // -E takes what both changed alike as done; the default, -A, has the ancestor in what it marks.
        let merged = try run("-E", sides, folder.path("merged"))
        if merged.isClean, keepsWhatWasAdded(merged.text, current, ancestor, copy) { return .clean(merged.text) }
        return .overlap(withoutAgreements(try run("-A", sides, folder.path("marked")).text))
    }

    /// -A marks what both changed alike too, beginning with the ancestor: of that the new lines alone. A last line without an
    /// end has a marker behind it, so that it is left as it is.
    private func withoutAgreements(_ marked: [UInt8]) -> [UInt8] {
        let (start, end) = (Array("<<<<<<< \(labels[1])\n".utf8), Array(">>>>>>> \(labels[2])\n".utf8))
        let middle = Array("=======\n".utf8)
        var result: [UInt8] = []
        var rest = marked.lines[...]
        while let line = rest.popFirst() {
            if line.elementsEqual(start), let new = rest.firstIndex(where: { $0.elementsEqual(middle) }),
                let last = rest[new...].firstIndex(where: { $0.elementsEqual(end) })
            {
                result += rest[(new + 1)..<last].joined()
                rest = rest[(last + 1)...]
            } else {
                result += line
            }
        }
        return result
    }

    private func run(
        _ how: String, _ sides: [FolderPath], _ result: FolderPath
    ) throws -> (text: [UInt8], isClean: Bool) {
        let options = ["-m", how, "--text"] + labels.flatMap { ["--label", $0] } + ["--"]
        let code = try Program.run("diff3", options.map { Array($0.utf8) } + sides.map(\.bytes), output: result)
        guard code < 2, let text = try SmallFile.read(result) else {
            throw DriveError(.internalFault, "diff3 cannot merge these texts (status \(code))")
        }
        return (text, code == 0)
    }

    /// Whether `merge` leaves nothing to decide; nil where that cannot be told now.
    func isClean(_ current: [UInt8], ancestor: [UInt8], _ copy: [UInt8]) -> Bool? {
        switch try? merge(current, ancestor: ancestor, copy) {
        case .clean: true
        case .overlap: false
        case nil: nil
        }
    }

    /// Whatever a tool does: no line that either side has more often than the common text is missing.
    private func keepsWhatWasAdded(
        _ merged: [UInt8], _ current: [UInt8], _ ancestor: [UInt8], _ copy: [UInt8]
    ) -> Bool {
        let (base, mine, theirs) = (LineCounts(ancestor), LineCounts(current), LineCounts(copy))
        let result = LineCounts(merged)
        return [(mine, theirs), (theirs, mine)].allSatisfy { side, other in
            side.counts.allSatisfy { line, count in
                let added = count - (base.counts[line] ?? 0)
                let removed = max(0, (base.counts[line] ?? 0) - (other.counts[line] ?? 0))
                return added <= 0 || (result.counts[line] ?? 0) >= count - removed
            }
        }
    }

    private struct LineCounts {
        var counts: [ArraySlice<UInt8>: Int] = [:]

        init(_ text: [UInt8]) {
            for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                counts[line, default: 0] += 1
            }
        }
    }
}
