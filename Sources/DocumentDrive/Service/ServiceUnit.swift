import DriveCore

/// A unit file of systemd.service(5) that keeps one drive in step for one person.
public struct ServiceUnit: Hashable, Sendable {
    public let name: String
    public let text: String

    /// `program` is the path of `docdrive`.
    init(_ name: String, program: FolderPath, drive: FolderPath) {
        self.name = name
        text = """
            # Written by `docdrive service install`; `docdrive service remove` takes it away.
            [Unit]
            \(Self.description(of: drive))
            # What may pass, as a store that is away, is tried again, as long as it takes.
            StartLimitIntervalSec=0

            [Service]
            Type=notify
            # A disk that is not mounted, or not any more, is waited for.
            ExecStart=\(Self.argument(program.bytes))\(Self.verb)\(Self.argument(drive.bytes))
            Restart=on-failure
            RestartSec=30
            # What it ends with where somebody stops it.
            SuccessExitStatus=130 143
            # Wrong use, and what a person must set right first: another start changes nothing. A damaged index is made anew by it.
            RestartPreventExitStatus=64 78
            UMask=0077
            Nice=5

            [Install]
            WantedBy=default.target

            """
    }

    private static let verb = " watch --wait-for-drive "

    /// The line that tells people which drive it is.
    static func description(of drive: FolderPath) -> String { "Description=DocumentDrive: \(text(drive.bytes))" }

    /// The folder that a unit with this text watches, whatever a person has added behind it; nil where another command is written.
    static func drive(in text: String) -> FolderPath? {
        let line = text.split(separator: "\n").last { $0.hasPrefix("ExecStart=") }
        // In an argument there are no quotes.
        guard let line, let begin = line.firstRange(of: "\"\(verb)\"")?.upperBound,
            let end = line[begin...].firstIndex(of: "\"")
        else { return nil }
        return bytes(line[begin..<end]).map { FolderPath($0) }
    }

    /// One quoted argument of a command line (systemd.service(5), "Command lines"): bytes that are not plain are written as
    /// `\xNN`, and `%` and `$` doubled so that nothing is expanded.
    static func argument(_ bytes: [UInt8]) -> String { "\"\(escaped(bytes, dollar: "$$"))\"" }

    /// Text in which specifiers are not expanded (systemd.unit(5)).
    static func text(_ bytes: [UInt8]) -> String { escaped(bytes, dollar: "$") }

    private static func escaped(_ bytes: [UInt8], dollar: String) -> String {
        var result = ""
        for byte in bytes {
            switch byte {
            case 0x25: result += "%%"
            case 0x24: result += dollar
            case 0x22, 0x5C, 0x27: result += hexadecimal(byte)
            case 0x20...0x7E: result.unicodeScalars.append(UnicodeScalar(byte))
            default: result += hexadecimal(byte)
            }
        }
        return result
    }

    /// What was escaped as an argument.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while var byte = rest.popFirst() {
            if byte == 0x25 || byte == 0x24, rest.popFirst() != byte { return nil }
            if byte == 0x5C {
                let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
                guard rest.first == 0x78, let value = UInt8(digits, radix: 16) else { return nil }
                byte = value
                rest = rest.dropFirst(3)
            }
            result.append(byte)
        }
        return result
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
}
