import DriveCore
import Foundation
import TestSupport

/// `Scripts/servers/faults` before a real server; ends with the last reference.
final class FaultProxy: Sendable {
    let folder: String
    private let address: String

    /// Of a random fault for every `rate`th request; without one only what is planned goes wrong.
    init(before url: StoreURL, isRaw: Bool = false, seed: Int = 0, rate: Int = 0) throws {
        folder = NSTemporaryDirectory() + "docdrive-faults-\(UUID().uuidString)"
        var arguments = ["start", folder, "--to", Self.address(of: url), "--seed", "\(seed)", "--rate", "\(rate)"]
        if isRaw { arguments.append("--raw") }
        try Self.run(arguments)
        let text = try String(contentsOfFile: "\(folder)/env", encoding: .utf8)
        address = String(text.split(separator: "=")[1].prefix { $0 != "\n" })
    }

    deinit {
        try? Self.run(["stop", folder])
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The next requests that fit meet these: `METHOD TEXT FAULT`.
    func plan(_ faults: [String]) throws {
        try faults.map { $0 + "\n" }.joined().write(toFile: "\(folder)/plan", atomically: true, encoding: .utf8)
    }

    /// What is planned and has not happened.
    var planned: String { (try? String(contentsOfFile: "\(folder)/plan", encoding: .utf8)) ?? "" }

    /// Of each request `NUMBER METHOD TARGET FAULT`.
    var requests: [String] {
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map(String.init)
    }

    /// The server's place, through here.
    func place(of url: StoreURL) -> StoreURL {
        var url = url
        if url.scheme == .s3 {
            url.options["endpoint"] = "http://\(address)"
        } else {
            let parts = address.split(separator: ":")
            (url.host, url.port) = (String(parts[0]), UInt16(parts[1]))
        }
        return url
    }

    private static func address(of url: StoreURL) -> String {
        if let endpoint = url.options["endpoint"], let slashes = endpoint.range(of: "//") {
            return String(endpoint[slashes.upperBound...].prefix { $0 != "/" })
        }
        return "\(url.host):\(url.port ?? 0)"
    }

    private static func run(_ arguments: [String]) throws {
        let code = try ChildProcess("\(TestServer.package)/Scripts/servers/faults", arguments).wait()
        guard code == 0 else { throw TestServer.Failure(description: "the proxy ended with \(code)") }
    }
}
