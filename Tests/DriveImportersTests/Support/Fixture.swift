import CLinux
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DriveImporters
@testable import DriveImporting

/// A folder of a test's own, removed with all that is in it.
final class Folder: Sendable {
    let path: String

    init() throws {
        var template = Array("\(NSTemporaryDirectory())docdrive-import-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> [UInt8] { Array("\(path)/\(name)".utf8) }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
        try #require(FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(bytes)))
        return self(name)
    }

    /// A program for /bin/sh.
    func program(_ name: String, _ text: String) throws -> String {
        try ExecutableScript.write("#!/bin/sh\n\(text)\n", to: "\(path)/\(name)")
        return "\(path)/\(name)"
    }
}

/// Imports bytes in this process, under a name that says their type.
func imported(
    _ bytes: [UInt8], named name: String, limits: ImportLimits = ImportLimits(), tools: ImportTools = .installed()
) throws -> ImportedMetadata {
    let descriptor = dd_import_memory_file(bytes, bytes.count)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    return try Importers(tools: tools).import(
        from: ImportFile(descriptor: descriptor), name: Array(name.utf8), type: nil, limits: limits)
}

func imported(_ text: String, named name: String, limits: ImportLimits = ImportLimits()) throws -> ImportedMetadata {
    try imported(Array(text.utf8), named: name, limits: limits)
}

/// Why bytes cannot be imported; nil if they can.
func refusal(
    _ bytes: [UInt8], named name: String, limits: ImportLimits = ImportLimits(), tools: ImportTools = .installed()
) -> ImportFailure.Kind? {
    do {
        _ = try imported(bytes, named: name, limits: limits, tools: tools)
        return nil
    } catch {
        return (error as? ImportFailure)?.kind
    }
}

extension ImportedMetadata {
    func string(_ name: AttributeName) -> String? {
        if case .string(let text) = self[name] { text } else { nil }
    }

    func strings(_ name: AttributeName) -> [String]? {
        if case .strings(let list) = self[name] { list } else { nil }
    }

    func integer(_ name: AttributeName) -> Int64? {
        if case .integer(let number) = self[name] { number } else { nil }
    }

    func real(_ name: AttributeName) -> Double? {
        if case .real(let number) = self[name] { number } else { nil }
    }

    func date(_ name: AttributeName) -> ImportedDate? {
        if case .date(let date) = self[name] { date } else { nil }
    }
}

func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ((count - 1 - $0) * 8)) }
}

func little(_ number: Int, _ count: Int = 4) -> [UInt8] { big(number, count).reversed() }

/// Numbers that are the same in every run.
struct Noise: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
