@testable import DocumentDrive
@testable import DriveCore

extension FuzzTarget {
    /// A drive's `config.toml`, which people edit.
    static let settings = FuzzTarget(name: "settings", run: Settings.run, seeds: Settings.seeds)
    /// Where a store is, as people type it and as the settings hold it.
    static let addresses = FuzzTarget(name: "addresses", run: Addresses.run, seeds: Addresses.seeds)
}

private enum Settings {
    static func run(_ bytes: [UInt8]) throws {
        guard let settings = try? DriveSettings(parsing: bytes) else { return }
        try require(ConflictName.isValidLabel(settings.deviceName), "a device's name may be part of a file's")
        if let store = settings.store { try Addresses.check(store) }
        for old in [nil, bytes] {
            try require(
                try DriveSettings(parsing: settings.written(over: old)) == settings, "settings come back as they were")
        }
        var changed = settings
        (changed.deviceName, changed.store, changed.scrubDays) = ("other", nil, 1)
        try require(
            try DriveSettings(parsing: changed.written(over: bytes)) == changed, "what is changed is what is read")
    }

    static func seeds() throws -> [[UInt8]] {
        let written = [
            DriveSettings(deviceName: "laptop"),
            DriveSettings(store: try StoreAddress(Array("/srv/store".utf8)), storeID: "abc", deviceName: "Büro \"2\""),
            DriveSettings(store: try StoreAddress(Array("file:///srv/%FF".utf8)), deviceName: "a'b\\"),
        ]
        let texts = [
            "# c\n 'store'= \"/a\"#b\r\nscrub-days = 3_0", "version = 2\n",
            "device-name = '''x'''\nstore = \"\\u00e9\"\n",
            "version = 1.5\n[store]\nx = [1, {a = 2}]\n",
            "store-id = 2026-01-01T00:00:00Z\n",
        ]
        return try written.map { try $0.written() } + texts.map { Array($0.utf8) }
    }
}

enum Addresses {
    static func run(_ bytes: [UInt8]) throws {
        guard let address = try? StoreAddress(bytes) else { return }
        try check(address)
    }

    static func check(_ address: StoreAddress) throws {
        if let folder = address.folder { try Paths.check(folder) }
        try require(try StoreAddress(Array(address.text.utf8)) == address, "an address comes back as it was")
        guard case .remote(let url) = address else { return }
        try require(!url.host.isEmpty && !url.host.hasPrefix("-"), "a host is no option of a program")
        let components = url.path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(
            String.init)
        try require(
            url.path.isEmpty || components.allSatisfy { !["", ".", ".."].contains($0) }, "a path leads downwards")
    }

    static func seeds() throws -> [[UInt8]] {
        let plain = [
            "/srv/store", "store/./x/..", "file:///srv/a%20b%FF", "file://localhost/a", "s3://bucket/x", "~/x",
            "s3://b/p?endpoint=http://127.0.0.1:1&region=x", "webdavs://a%40b@[::1]:8443/a%20b?ca=/c",
            "sftp://u@h:22/~/d",
        ]
        let odd = try StoreAddress([0x2F, 0xFF, 0x3A, 0x2F, 0x2F])
        return plain.map { Array($0.utf8) } + [Array(odd.text.utf8), odd.folder?.bytes ?? []]
    }
}
