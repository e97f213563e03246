import DriveCore
import DrivePredicates

// What an item has because it belongs to a drive. In one that was never in step with a store, ubiquity is missing.
extension ItemMetadata {
    var origin: ItemOrigin? { states.origin(of: row) }
    private var conflict: ConflictStanding { states.conflict(of: row) }
    private var problems: ItemProblems { states.problems(of: row, at: path) }
    /// Its file is still to be brought here, or was deleted here and the delete is held.
    private var isAbsent: Bool { row.id.isAbsent || row.isHeld }

    static let ubiquityReaders: [String: Reader] = [
        "NSMetadataItemIsUbiquitousKey": { .bool($0.isConnected) },
        "NSMetadataUbiquitousItemHasUnresolvedConflictsKey": {
            .bool($0.state == .conflict || $0.conflict.isUnresolved)
        },
        "NSMetadataUbiquitousItemDownloadingStatusKey": { item in
            item.ubiquity {
                .string("NSMetadataUbiquitousItemDownloadingStatus" + item.downloadingStatus)
            }
        },
        "NSMetadataUbiquitousItemIsDownloadingKey": { .bool($0.state == .downloading) },
        "NSMetadataUbiquitousItemIsDownloadedKey": { .bool(!$0.isAbsent) },
        // Whatever is not here is asked for.
        "NSMetadataUbiquitousItemDownloadRequestedKey": { .bool($0.state == .downloading) },
        "NSMetadataUbiquitousItemIsUploadedKey": { .bool($0.isConnected && $0.state != .uploading) },
        "NSMetadataUbiquitousItemIsUploadingKey": { .bool($0.state == .uploading) },
        "NSMetadataUbiquitousItemPercentDownloadedKey": { item in
            item.ubiquity { .integer(item.isAbsent || item.state == .downloading ? 0 : 100) }
        },
        "NSMetadataUbiquitousItemPercentUploadedKey": { item in
            item.ubiquity { .integer(item.state == .uploading ? 0 : 100) }
        },
        "NSMetadataUbiquitousItemDownloadingErrorKey": { $0.problems.downloading.map { .string($0) } ?? .null },
        "NSMetadataUbiquitousItemUploadingErrorKey": { $0.problems.uploading.map { .string($0) } ?? .null },
        "NSMetadataUbiquitousItemContainerDisplayNameKey": { item in item.ubiquity { .string(item.driveName) } },
        "NSMetadataUbiquitousItemURLInLocalContainerKey": { item in item.ubiquity { .string(item.url) } },
        "NSMetadataUbiquitousItemIsExternalDocumentKey": { _ in .bool(false) },
        "NSMetadataUbiquitousItemIsSharedKey": { _ in .bool(false) },
    ]

    static let driveReaders: [String: Reader] = [
        "kDDItemSyncState": { .string($0.state.word) },
        "kDDItemContentHash": { $0.row.hash.map { .string("\($0)") } ?? .null },
        "kDDItemID": { $0.row.members.first.map { .string("\($0.item)") } ?? .null },
        "kDDItemChangeTag": { $0.origin.map { .string($0.changeTag) } ?? .null },
        "kDDItemDevice": { $0.origin.map { .string($0.device) } ?? .null },
        "kDDItemConflictClass": { $0.conflict.kind.map { .string($0.rawValue) } ?? .null },
        "kDDItemConflictOf": { item in
            item.origin?.original.map { .string(item.text(of: item.path.parent.appending($0))) } ?? .null
        },
    ]

    private func ubiquity(_ value: () -> PredicateValue) -> PredicateValue { isConnected ? value() : .null }

    private var downloadingStatus: String {
        if isAbsent { return "NotDownloaded" }
        return state == .downloading ? "Downloaded" : "Current"
    }

    private var driveName: String { String(decoding: driveNameBytes, as: UTF8.self) }
    private var driveNameBytes: [UInt8] { Array(drive.split(separator: 0x2F).last ?? []) }

    /// As file managers show it.
    func text(of path: DrivePath) -> String { String(decoding: bytes(of: path), as: UTF8.self) }

    private func bytes(of path: DrivePath) -> [UInt8] { drive + [0x2F] + path.bytes }

    /// What an attribute that is a name or a path is exactly, which need not be text; nil for any other.
    package func bytes(forAttribute name: String) -> [UInt8]? {
        switch name {
        case "kMDItemFSName", "kMDItemDisplayName": row.name.bytes
        case "kMDItemPath": bytes(of: path)
        case "kDDItemExtension": fileExtension
        case "kDDItemConflictOf": origin?.original.map { bytes(of: path.parent.appending($0)) }
        case "NSMetadataUbiquitousItemContainerDisplayNameKey": isConnected ? driveNameBytes : nil
        default: nil
        }
    }

    /// RFC 8089.
    var url: String { "file://" + PercentEncoding.text(bytes(of: path)) }
}
