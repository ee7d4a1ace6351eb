// swift-tools-version: 6.2
import PackageDescription

let nkul: [Target.Dependency] = [
    "Command", "Ingest", "Lanes", "Models", "QoE", "ServiceKit", "Storage", "Wire", "ZeroMQ", "CSimdjson",
]
.map { .product(name: $0, package: "nkul") }

let package = Package(
    name: "nkul-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "nkul", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "nkul-bench",
            dependencies: nkul + [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/NkulBench",
            swiftSettings: [
                .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
            ])
    ]
)
