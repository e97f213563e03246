// swift-tools-version:6.1
import PackageDescription

let package = Package(
    name: "index-bench",
    dependencies: [.package(name: "DocumentDrive", path: "../../..")],
    targets: [
        .executableTarget(name: "index-bench", dependencies: [.product(name: "DocumentDrive", package: "DocumentDrive")])
    ]
)
