// swift-tools-version:6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Released programs carry the Swift libraries: binding 40,000 symbols of them takes longer than most commands run. Nothing
// looks for symbols in a program, but the Swift runtime looks at all that it exports to find out where it lies itself. The
// four libraries are those that Foundation is made of; modules that are compiled for shared libraries do not name them.
let selfContained: [LinkerSetting] =
    [.unsafeFlags(["-static-stdlib", "-Xlinker", "--no-export-dynamic"], .when(configuration: .release))]
    + ["CoreFoundation", "_FoundationICU", "_FoundationCShims", "_FoundationCollections"].map {
        .linkedLibrary($0, .when(configuration: .release))
    }

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "DocumentDrive",
    products: [
        .library(name: "DocumentDrive", targets: ["DocumentDrive"]),
        .executable(name: "docdrive", targets: ["docdrive"]),
        .executable(name: "docdrive-watch", targets: ["docdrive-watch"]),
        .executable(name: "docdrive-import", targets: ["docdrive-import"]),
        .executable(name: "drive-simulate", targets: ["drive-simulate"]),
        .executable(name: "drive-histories", targets: ["drive-histories"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    ],
    targets: [
        // System libraries and the C shim.
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CUchardet", providers: [.apt(["libuchardet-dev"])]),
        .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
        // TagLib (libtag1-dev), read-only and in C; its own C binding opens files for writing.
        .target(name: "CAudioTags", linkerSettings: [.linkedLibrary("tag")]),
        .systemLibrary(name: "CGMime", pkgConfig: "gmime-3.0", providers: [.apt(["libgmime-3.0-dev"])]),
        // GMime in plain C: its objects and their casts are macros.
        .target(name: "CMail", dependencies: ["CGMime"]),
        // The calls and constants that Glibc's Swift overlay lacks.
        .target(name: "CLinux"),

        // The watcher process, GPL-2.0-only, and what it says to the drive; no Foundation in either.
        .target(name: "WatchProtocol", swiftSettings: strict),
        .executableTarget(
            name: "docdrive-watch", dependencies: ["CInotifyTools", "CLinux", "WatchProtocol"],
            swiftSettings: strict, linkerSettings: selfContained),

        // Values, decisions and seams: no I/O, no clock, no randomness.
        .target(name: "DriveCore", dependencies: [crypto], swiftSettings: strict),
        // Where the programs are that are installed together.
        .target(name: "DrivePrograms", swiftSettings: strict),
        // What a file is: MIME types, uniform type identifiers and kinds.
        .target(name: "DriveTypes", swiftSettings: strict),
        // The language of metadata queries and its evaluator. Foundation for folding of text and regular expressions.
        .target(name: "DrivePredicates", dependencies: ["DriveTypes"], swiftSettings: strict),
        // Everything that touches the local disk except SQLite.
        .target(
            name: "DriveFiles",
            dependencies: ["DriveCore", "DrivePrograms", "WatchProtocol", "CLinux", "CXXHash"],
            swiftSettings: strict),
        // Zstandard, for what is stored and for what is indexed.
        .target(name: "DriveCompression", dependencies: ["DriveCore", "CZstd"], swiftSettings: strict),
        // The SQLite index.
        .target(
            name: "DriveIndex", dependencies: ["DriveCore", "DriveCompression", "DrivePredicates", grdb],
            swiftSettings: strict),
        // Device journals, chunks and packs over any object store.
        .target(name: "DriveTransport", dependencies: ["DriveCore", "DriveCompression"], swiftSettings: strict),
        // Stores over the network, apart because they bring NIO.
        .target(
            name: "DriveRemoteStores",
            dependencies: [
                "DriveCore", "CLinux", "CExpat", crypto,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], swiftSettings: strict),
        // Asks processes of their own for text and attributes of documents; links no library that reads any.
        .target(
            name: "DriveImporting", dependencies: ["DrivePrograms", "DriveTypes", "CLinux"], swiftSettings: strict),
        // What such a process does: the readers.
        .target(
            name: "DriveImporters",
            dependencies: [
                "DriveImporting", "DriveTypes", "CXML2", "CArchive", "CUchardet", "CExif", "CAudioTags", "CMail",
                "CLinux",
            ], swiftSettings: strict),
        .executableTarget(
            name: "docdrive-import", dependencies: ["DriveImporters"], swiftSettings: strict,
            linkerSettings: selfContained),
        // The engine: passes, apply, coordinated access.
        .target(name: "FileCoordination", dependencies: ["DriveCore"], swiftSettings: strict),
        // The public library: makes and opens drives, and wires the adapters to the engine.
        .target(
            name: "DocumentDrive",
            dependencies: [
                "FileCoordination", "DriveIndex", "DriveTransport", "DriveFiles", "DriveRemoteStores", "DriveImporting",
                "DrivePredicates", "DriveTypes", "DriveCore", "CLinux",
            ], swiftSettings: strict),
        // The command: parse, wire, print.
        .executableTarget(
            name: "docdrive",
            dependencies: [
                "DocumentDrive", "FileCoordination", "DriveIndex", "DriveTransport", "DriveFiles", "DrivePredicates",
                "DriveCore", "CLinux", argumentParser,
            ], swiftSettings: strict, linkerSettings: selfContained),

        // How a program uses the library; the tests run it.
        .executableTarget(
            name: "example-notes", dependencies: ["DocumentDrive"], path: "Examples/Notes",
            swiftSettings: strict),

        // Memory doubles and the deterministic simulation.
        .target(
            name: "DriveTesting", dependencies: ["DriveCore", "FileCoordination", "DriveIndex", "DriveTransport"],
            swiftSettings: strict),
        .executableTarget(
            name: "drive-simulate", dependencies: ["DocumentDrive", "DriveTesting"], swiftSettings: strict),
        // Random histories, over the simulation or over the program on real folders.
        .executableTarget(
            name: "drive-histories", dependencies: ["DriveTesting", "DriveCore", "CLinux"], swiftSettings: strict),

        // What tests of several targets need of the system: other programs, and threads that may wait for them.
        .target(name: "SpawnSupport", path: "Tests/SpawnSupport"),
        .target(name: "TestSupport", dependencies: ["SpawnSupport"], path: "Tests/Support", swiftSettings: strict),
        .testTarget(
            name: "DriveCoreTests", dependencies: ["TestSupport", "DriveCore", "DriveTesting", "DriveTransport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DrivePredicatesTests", dependencies: ["DrivePredicates"], resources: [.copy("Cases")],
            swiftSettings: strict),
        .testTarget(
            name: "DriveFilesTests",
            dependencies: ["DriveFiles", "DriveTesting", "DriveTransport", "DriveCore", "CLinux", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DriveTransportTests",
            dependencies: ["DriveTransport", "DriveCompression", "DriveCore", "DriveTesting", crypto],
            swiftSettings: strict),
        // Over real servers, where they can be had.
        .testTarget(
            name: "DriveRemoteStoresTests",
            dependencies: [
                "TestSupport",
                "DriveRemoteStores", "DriveTransport", "DriveTesting", "DriveCore",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ], swiftSettings: strict),
        .testTarget(
            name: "DriveIndexTests",
            dependencies: ["DriveIndex", "DriveCore", "DriveTesting", "DrivePredicates", grdb],
            swiftSettings: strict),
        .testTarget(
            name: "FileCoordinationTests",
            dependencies: ["TestSupport", "FileCoordination", "DriveIndex", "DriveCore", "DriveTesting"],
            resources: [.copy("Cases")], swiftSettings: strict),
        // Stores whose objects somebody wrote to do harm.
        .testTarget(
            name: "HostileTests",
            dependencies: [
                "DocumentDrive", "FileCoordination", "DriveIndex", "DriveTransport", "DriveFiles", "DriveCore",
                "DriveCompression", "DriveTesting", "CZstd",
            ], swiftSettings: strict),
        .testTarget(
            name: "WatchTests", dependencies: ["TestSupport", "CLinux", "DriveFiles", "DriveCore", "WatchProtocol"],
            swiftSettings: strict),
        .testTarget(
            name: "DocumentDriveTests",
            dependencies: [
                "TestSupport", "docdrive-watch",
                "DocumentDrive", "DriveCore", "DriveImporting", "DrivePredicates", "DriveRemoteStores", "DriveTesting",
                "DriveTransport", "DriveFiles", "DriveIndex", "FileCoordination",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DriveImportersTests",
            dependencies: [
                "TestSupport", "DriveImporters", "DriveImporting", "DriveTypes", "docdrive-import", "CLinux",
                "CArchive",
            ],
            swiftSettings: strict),
        // Runs the real programs, which the build therefore has to make first.
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "TestSupport",
                "docdrive", "docdrive-watch", "docdrive-import", "example-notes", "DocumentDrive", "FileCoordination",
                "DriveFiles",
                "DriveCore", crypto,
            ], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// The parsers, fed with what nobody would write: the tests replay a corpus of it. `Scripts/fuzz` sets DOCDRIVE_FUZZ and
// builds the same functions as a program that searches for more, which needs flags that no other build may have.
let parsers: [Target.Dependency] = [
    "DocumentDrive", "FileCoordination", "DriveIndex", "DriveTransport", "DriveRemoteStores", "DriveFiles",
    "DriveCompression", "DriveCore",
    "DriveTesting",
    "DrivePredicates", "DriveImporters", "DriveImporting", "DriveTypes", "CLinux", "WatchProtocol",
]
if Context.environment["DOCDRIVE_FUZZ"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzTests", dependencies: parsers + ["TestSupport"], path: "Tests/Fuzz", exclude: ["Driver"],
            resources: [.copy("Corpora")], swiftSettings: strict))
} else {
    package.targets.append(
        .executableTarget(
            name: "drive-fuzz", dependencies: parsers, path: "Tests/Fuzz", exclude: ["Replay", "Corpora"],
            swiftSettings: strict))
}
