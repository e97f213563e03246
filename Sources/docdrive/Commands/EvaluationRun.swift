import DriveCore
import DrivePredicates
import Glibc

/// `find --evaluate`: an answer for each line, in order, so that the n-th belongs to the n-th: also to an empty one, and to one that is
/// too long.
struct EvaluationRun {
    private let file: PathArgument

    init(_ file: PathArgument) { self.file = file }

    func run() throws(DriveError) -> ExitStatus {
        let input = try opened()
        defer { if input != STDIN_FILENO { close(input) } }
        var lines = EvaluationLines()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(input, &buffer, buffer.count)
            if count > 0 {
                lines.take(buffer[..<count])
                // Whoever asks may wait for the answer before asking on.
                Output.flush()
                if Output.isLost { return .done }
            } else if count == 0 {
                lines.end()
                return .done
            } else if errno == EAGAIN {
                // Who gave it to this process has it not wait; this can.
                var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                throw failure(errno)
            }
        }
    }

    private var name: String { String(decoding: file.bytes, as: UTF8.self) }

    private func opened() throws(DriveError) -> Int32 {
        if file.bytes == [0x2D] { return STDIN_FILENO }
        let path = file.bytes.map { CChar(bitPattern: $0) } + [0]
        let input = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else {
            throw DriveError(.usage, "there is no such file, or it may not be read", path: name)
        }
        return input
    }

    private func failure(_ code: Int32) -> DriveError {
        if code == EISDIR {
            return DriveError(
                .usage, "this is a folder, and has no lines; name a file, or - for standard input", path: name)
        }
        return DriveError(.inputOutput, "cannot read: \(String(cString: strerror(code)))", path: name)
    }
}

/// The lines of an input that comes in parts, each part looked at once.
private struct EvaluationLines {
    private static let longest = 16 << 20
    private var line: [UInt8] = []
    private var isTooLong = false

    mutating func take(_ part: ArraySlice<UInt8>) {
        var rest = part
        while let end = rest.firstIndex(of: 0x0A) {
            append(rest[..<end])
            answer()
            rest = rest[(end + 1)...]
        }
        append(rest)
    }

    /// The last line may have no end.
    mutating func end() { if isTooLong || !line.isEmpty { answer() } }

    private mutating func append(_ piece: ArraySlice<UInt8>) {
        isTooLong = isTooLong || line.count + piece.count > Self.longest
        if isTooLong { line = [] } else { line += piece }
    }

    private mutating func answer() {
        Output.line(
            isTooLong
                ? "error: the line has more than \(Quantity.bytes(UInt64(Self.longest))); ask of less at once"
                : EvaluationLine.answer(to: String(decoding: line, as: UTF8.self)))
        line.removeAll(keepingCapacity: true)
        isTooLong = false
    }
}
