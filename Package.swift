// swift-tools-version: 6.2
import PackageDescription

let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
/// AES in CBC mode, in which alarm panels encrypt.
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let nioExtras = Target.Dependency.product(name: "NIOExtras", package: "swift-nio-extras")
/// The parser of structured fields (RFC 9651), in which message signatures are written.
let structuredFields: Target.Dependency = .product(
    name: "RawStructuredFieldValues", package: "swift-http-structured-headers")
func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")

/// Every Swift target of the package is compiled by the same rules.
let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A module under `Shared/`: one noun that knows no service.
func shared(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude, swiftSettings: rules)
}

/// The suite of a module.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.target(name: name), "TemporaryFiles", "Seeds"] + dependencies,
        path: "Tests/\(name)Tests", resources: resources, swiftSettings: rules)
}

/// A room of a program: a target at `Services/<path>`, which shows the others what it declares as `package`.
func room(_ name: String, _ path: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Services/\(path)", swiftSettings: rules)
}

/// A program: a library at `Services/<module>`, less its rooms, and a tiny executable at `Services/<module>/Main`.
@MainActor func program(
    _ executable: String, _ module: String, _ dependencies: [Target.Dependency],
    exclude: [String] = [], resources: [Resource] = []
) -> [Target] {
    let path = "Services/\(module)/"
    let inside = rooms.compactMap(\.path).filter { $0.hasPrefix(path) }.map { String($0.dropFirst(path.count)) }
    return [
        .target(
            name: module, dependencies: dependencies, path: "Services/\(module)",
            exclude: ["Main", "README.md"] + inside + exclude,
            resources: resources, swiftSettings: rules),
        .executableTarget(
            name: executable, dependencies: [.target(name: module), "ServiceKit"], path: "Services/\(module)/Main",
            swiftSettings: rules),
    ]
}

let librariesInC: [Target] = [
    .systemLibrary(
        name: "CZeroMQ", path: "Shared/CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
    .target(name: "CLinux", path: "Shared/CLinux"),
    .systemLibrary(name: "CZlib", path: "Shared/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
        name: "CDeflate", path: "Shared/CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CIgzip", path: "Shared/CIgzip", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    .target(
        name: "CWriteGathering", dependencies: ["CLinux"], path: "Shared/CWriteGathering",
        linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
        name: "CSimdjson", path: "Services/Ingest/CSimdjson",
        cxxSettings: [.define("NDEBUG", .when(configuration: .release))], linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CCurl", path: "Services/Notifier/CCurl", linkerSettings: [.linkedLibrary("curl")]),
]

let sharedModules: [Target] = [
    shared("ZeroMQ", ["CLinux", "CZeroMQ"]),
    shared("Models", []),
    .target(
        name: "QoE", dependencies: ["Models"], path: "Shared/Programmes/QoE", exclude: ["README.md"],
        swiftSettings: rules),
    shared("AlarmRules", ["Models"]),
    shared("Engagement", ["Models"]),
    .target(
        name: "NkulDevice", dependencies: ["CZlib", "Models", "QoE", grdb, crypto], path: "Shared/DeviceKit",
        exclude: ["README.md"], swiftSettings: rules),
    shared("Statistics", []),
    shared("Releases", ["Models", "Statistics", crypto]),
    .target(
        name: "Alarms", dependencies: ["AlarmRules", "Models", "QoE"], path: "Shared/Programmes/Alarms",
        exclude: ["README.md"], swiftSettings: rules),
    shared("Wire", ["CZlib", "CDeflate", "CIgzip", "Models"]),
    shared("OpenFormats", ["Wire"]),
    shared("Storage", ["CLinux", "CWriteGathering", "Models", grdb, crypto]),
    shared("Lanes", ["ZeroMQ", "Models", "Wire", "Storage", grdb, log]),
    shared("SubjectRights", ["Models", "Wire", "Storage", "Lanes", grdb, crypto], exclude: ["README.md"]),
    shared(
        "ServiceKit",
        [
            "ZeroMQ", "Models", "Wire", "Storage", "Lanes", hummingbird, log, lifecycle, signals, configuration,
            nio("NIOCore"), nio("NIOPosix"), nioSSL, grdb,
        ], exclude: ["README.md"]),
    shared("Channels", ["Models", "Storage", "ServiceKit", crypto]),
    shared("OnCall", ["Channels", "Models", "ServiceKit"]),
]

let testingModules: [Target] = [
    .target(name: "TemporaryFiles", path: "Tests/Support/TemporaryFiles", swiftSettings: rules),
    .target(name: "Seeds", path: "Tests/Support/Seeds", swiftSettings: rules),
    .target(
        name: "CPowerCut", path: "Tests/Support/CPowerCut", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
        name: "PowerCut", dependencies: ["CPowerCut"], path: "Tests/Support/PowerCut", swiftSettings: rules),
    .target(
        name: "SocketTesting", dependencies: ["ZeroMQ"], path: "Tests/Support/Sockets",
        swiftSettings: rules),
    .target(
        name: "ProviderEmulators", dependencies: [nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1")],
        path: "Tests/Support/Providers", swiftSettings: rules),
    .target(
        name: "ReferenceCells", dependencies: ["Models", "QoE"], path: "Tests/Support/ReferenceCells",
        swiftSettings: rules),
    .target(
        name: "PipelineTesting",
        dependencies: [
            "TemporaryFiles", "PowerCut", "ZeroMQ", "Models", "QoE", "Wire", "Storage", "Lanes", "SubjectRights",
            "IngestUploads", "IngestSupport", "IngestCommands", "IngestCommit", "IngestAPI", "Ingest",
            "AlertRouter", "BatchAggregator", "ExporterSupport", "ExporterRows", "ExporterOperations", "ExporterStores",
            "AnalyticsExporter", "RewardDispatcher", "PrivacyWorker", "Notifier", "NotifierMessages", "Channels",
            "AggregatorReleasing", "Releases", "Administration", "ServiceKit", "SocketTesting", grdb, crypto, log,
            lifecycle,
        ],
        path: "Tests/Support",
        exclude: ["CPowerCut", "PowerCut", "Providers", "ReferenceCells", "Seeds", "Sockets", "TemporaryFiles"],
        swiftSettings: rules),
]

let serviceBasics: [Target.Dependency] = [
    "ZeroMQ", "Models", "Alarms", "QoE", "Wire", "Storage", "Lanes", "SubjectRights", "ServiceKit", grdb, log,
    lifecycle,
]

/// Where a boundary inside a program matters, the compiler keeps it.
let rooms: [Target] = [
    room("IngestUploads", "Ingest/Uploads", ["Models", "Wire", "CSimdjson", crypto]),
    room("IngestDuplicates", "Ingest/Duplicates", ["IngestUploads", "Models", "Wire"]),
    room(
        "IngestSupport", "Ingest/Support",
        ["IngestUploads", "IngestDuplicates", "Channels"] + serviceBasics
            + [nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nioExtras]),
    room(
        "IngestCommands", "Ingest/Commands",
        ["IngestUploads", "IngestDuplicates", "IngestSupport", "Channels"] + serviceBasics),
    room(
        "IngestCommit", "Ingest/Commit",
        ["IngestUploads", "IngestDuplicates", "IngestSupport", "IngestCommands"] + serviceBasics),
    room(
        "IngestAPI", "Ingest/API",
        serviceBasics + [
            "Channels", "Releases", "IngestUploads", "IngestSupport", "IngestCommands", "IngestCommit", crypto,
            cryptoExtras, nio("NIOCore"),
            nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"), structuredFields,
        ]),
    room(
        "IngestEdge", "Ingest/Edge",
        [
            "IngestUploads", "IngestSupport", "IngestAPI", "ServiceKit", lifecycle, nio("NIOCore"), nio("NIOPosix"),
            nio("NIOHTTP1"), nio("NIOWebSocket"), nio("NIOTLS"), nioSSL,
        ]),
    room(
        "IngestPanels", "Ingest/Panels",
        [
            "IngestUploads", "IngestSupport", "IngestCommit", "IngestAPI", crypto, cryptoExtras, nio("NIOCore"),
            nio("NIOPosix"),
        ] + serviceBasics),
    room("AggregatorCells", "BatchAggregator/Cells", ["Statistics"] + serviceBasics),
    room("AggregatorDeriving", "BatchAggregator/Deriving", ["AggregatorCells"] + serviceBasics),
    room("AggregatorFolding", "BatchAggregator/Folding", ["AggregatorCells", "AggregatorDeriving"] + serviceBasics),
    room(
        "AggregatorReleasing", "BatchAggregator/Releasing",
        ["AggregatorCells", "AggregatorDeriving", "AggregatorFolding", "Releases"] + serviceBasics + [crypto]),
    room(
        "AggregatorSealing", "BatchAggregator/Sealing",
        ["AggregatorCells", "AggregatorDeriving", "AggregatorFolding"] + serviceBasics),
    room(
        "ExporterSupport", "AnalyticsExporter/Support",
        ["Models", "Wire", "Storage", "ServiceKit", grdb, hummingbird, crypto, nio("NIOCore")]),
    room("ExporterRows", "AnalyticsExporter/Rows", ["ExporterSupport"] + serviceBasics + [crypto]),
    room("ExporterOperations", "AnalyticsExporter/Operations", ["ExporterSupport"] + serviceBasics + [crypto]),
    room(
        "ExporterStores", "AnalyticsExporter/Stores",
        ["ExporterSupport", "ExporterRows", "ExporterOperations", "Releases"] + serviceBasics + [crypto]),
    room("ExporterScores", "AnalyticsExporter/Scores", []),
    room(
        "ExporterAPI", "AnalyticsExporter/API",
        [
            "ExporterSupport", "ExporterRows", "ExporterOperations", "ExporterScores", "ExporterStores", "AlarmRules",
            "Channels", "OnCall", "OpenFormats", "Releases", "Statistics",
        ] + serviceBasics + [hummingbird, crypto, nio("NIOCore")]),
    room("NotifierMessages", "Notifier/Messages", ["Channels", "Models", "ServiceKit", crypto]),
    room(
        "NotifierSending", "Notifier/Sending",
        [
            "NotifierMessages", "CCurl", "Channels", "Models", "ServiceKit", lifecycle, httpClient, nio("NIOCore"),
            nio("NIOHTTP1"),
        ]),
    room("CommandSupport", "Command/Support", ["Models", "ServiceKit", arguments]),
    room(
        "Administration", "Command/Administration",
        serviceBasics + [
            "CommandSupport", "Laboratory", "RewardDispatcher", "Channels", "OnCall", crypto, signals, arguments,
            httpClient,
            nio("NIOCore"), nio("NIOHTTP1"), nioSSL,
        ]),
    room(
        "Laboratory", "Command/Laboratory",
        [
            "CommandSupport", "Models", "Alarms", "QoE", "AlarmRules", "OpenFormats", "Wire", "ServiceKit", arguments,
            histogram,
            crypto,
            signals, "NkulDevice", "Storage",
            nio("NIOCore"), nio("NIOPosix"), nio("NIOWebSocket"), nioSSL,
        ]),
]

let programs: [Target] =
    program(
        "nkul-ingest", "Ingest",
        serviceBasics + [
            "IngestUploads", "IngestSupport", "IngestCommands", "IngestCommit", "IngestAPI", "IngestEdge",
            "IngestPanels", nio("NIOCore"), nio("NIOPosix"),
        ],
        exclude: ["CSimdjson"], resources: [.copy("WebApp")])
    + program(
        "nkul-alert-router", "AlertRouter", serviceBasics + ["AlarmRules", "Channels", "OnCall", "CZlib", crypto])
    + program(
        "nkul-batch-aggregator", "BatchAggregator",
        [
            "AggregatorCells", "AggregatorDeriving", "AggregatorFolding", "AggregatorReleasing", "AggregatorSealing",
        ] + serviceBasics)
    + program(
        "nkul-reward-dispatcher", "RewardDispatcher",
        serviceBasics + [
            "Engagement", "OpenFormats", crypto, httpClient, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nioSSL,
        ])
    + program(
        "nkul-analytics-exporter", "AnalyticsExporter",
        [
            "ExporterSupport", "ExporterRows", "ExporterOperations", "ExporterScores", "ExporterStores", "ExporterAPI",
            "AlarmRules", "Channels", "OnCall", crypto,
        ] + serviceBasics,
        resources: [.copy("Dashboard"), .copy("Reference")])
    + program("nkul-privacy-worker", "PrivacyWorker", serviceBasics + [crypto])
    + program(
        "nkul-notifier", "Notifier",
        ["NotifierMessages", "NotifierSending", "Channels"] + serviceBasics + [crypto], exclude: ["CCurl"])
    + program("nkul", "Command", ["Administration", "Laboratory", "ServiceKit", arguments])

let benchmarks: [Target] = [
    .executableTarget(
        name: "nkul-bench",
        dependencies: [
            "Laboratory", "Ingest", "Lanes", "Models", "QoE", "ServiceKit", "Storage", "Wire", "ZeroMQ", "CSimdjson",
            arguments, grdb, hummingbird, log, nio("NIOCore"),
        ],
        path: "Benchmarks/Sources/NkulBench", swiftSettings: rules),
    .executableTarget(
        name: "nkul-bench-releases", dependencies: ["Models", "QoE", "Releases"],
        path: "Benchmarks/Sources/ReleasesBench", swiftSettings: rules),
]

/// `NKUL_ONLY=WireTests,LanesTests swift build --build-tests` builds only these targets and what they need.
func chosen(_ targets: [Target]) -> [Target] {
    guard var names = Context.environment["NKUL_ONLY"]?.split(separator: ",").map(String.init) else { return targets }
    var kept: Set<String> = []
    while let name = names.popLast() {
        guard kept.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else { continue }
        for case .targetItem(let name, _) in target.dependencies { names.append(name) }
        for case .byNameItem(let name, _) in target.dependencies { names.append(name) }
    }
    return targets.filter { kept.contains($0.name) }
}

/// `make docs` alone needs what makes the reference pages.
let documentation: [Package.Dependency] =
    Context.environment["NKUL_DOCS"] == "1"
    ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")] : []

let package = Package(
    name: "nkul",
    platforms: [.macOS(.v15)],
    products: chosen(librariesInC + sharedModules + programs)
        .filter { $0.type == .regular }
        .map { .library(name: $0.name, targets: [$0.name]) },
    dependencies: documentation + [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: chosen(
        librariesInC + sharedModules + testingModules + rooms + programs + benchmarks + [
            tests("ZeroMQ", ["SocketTesting"]), tests("Models", ["QoE"]), tests("Statistics"), tests("QoE"),
            tests("Releases", ["Models", "QoE"]),
            tests(
                "NkulDevice",
                [
                    "IngestUploads", "IngestSupport", "IngestCommands", "IngestCommit", "Lanes", "Models", "QoE",
                    "Storage", "Wire",
                ]),
            tests("Wire", ["QoE"]), tests("OpenFormats"),
            tests("AlarmRules", ["Models", "QoE"]),
            tests("Storage", ["QoE", "PowerCut", grdb]),
            tests("Lanes", ["QoE", "PowerCut", grdb]), tests("SubjectRights", ["QoE", grdb]),
            tests("ServiceKit", [grdb, nio("NIOCore")]),
            tests(
                "Ingest",
                [
                    "IngestUploads", "IngestDuplicates", "IngestSupport", "IngestCommands", "IngestCommit", "IngestAPI",
                    "IngestEdge", "Alarms", "Channels", "Notifier", "NotifierMessages", "NotifierSending", "Releases",
                    "NkulDevice", "ProviderEmulators", grdb, crypto, cryptoExtras,
                ]),
            tests("Channels", ["Models", "ServiceKit", "Storage"]),
            tests("OnCall", ["Channels", "Models", "ServiceKit"]),
            tests(
                "Notifier",
                [
                    "NotifierMessages", "NotifierSending", "Channels", "SubjectRights", "Lanes", "Wire", "Storage",
                    "Models", "ServiceKit", grdb, crypto, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
                ]),
            tests("Engagement", ["Models"]),
            tests("RewardDispatcher", ["Engagement", "ProviderEmulators", grdb]),
            tests(
                "AlertRouter",
                ["Alarms", "AlarmRules", "Channels", "OnCall", "ServiceKit", "SocketTesting", "PowerCut", grdb, log]),
            tests(
                "BatchAggregator",
                [
                    "AggregatorCells", "AggregatorDeriving", "AggregatorFolding", "AggregatorReleasing",
                    "AggregatorSealing", "Releases",
                ]),
            tests(
                "AnalyticsExporter",
                [
                    "ExporterSupport", "ExporterRows", "ExporterOperations", "ExporterScores", "ExporterStores",
                    "ExporterAPI", "SocketTesting", "BatchAggregator", "AggregatorCells", "AggregatorDeriving",
                    "ReferenceCells", "Channels", "OnCall", "Statistics",
                ]), tests("PrivacyWorker"),
            tests(
                "Command",
                [
                    "Administration", "Laboratory", "CommandSupport", "AlarmRules", "OnCall", "OpenFormats",
                    "NkulDevice", "QoE", grdb,
                    nio("NIOCore"),
                    nio("NIOPosix"),
                    nio("NIOHTTP1"), nio("NIOEmbedded"),
                ]),
            .testTarget(
                name: "ContractTests", dependencies: ["PipelineTesting"], path: "Tests/ContractTests",
                swiftSettings: rules),
            .testTarget(
                name: "FixtureHomeTests", dependencies: ["PipelineTesting", "TemporaryFiles", grdb],
                path: "Tests/FixtureHomeTests", swiftSettings: rules),
            .testTarget(
                name: "ObservabilityTests",
                dependencies: [
                    "PipelineTesting", "TemporaryFiles", "SocketTesting", "ServiceKit", "Alarms", "RewardDispatcher",
                    "PrivacyWorker", "Notifier", log,
                    lifecycle,
                ],
                path: "Tests/ObservabilityTests", swiftSettings: rules),
            .testTarget(
                name: "AlarmsProgrammeTests",
                dependencies: [
                    "PipelineTesting", "SocketTesting", "TemporaryFiles", "ServiceKit", "Alarms", "AlarmRules",
                    "Models",
                    "QoE", "Wire", "Storage", "Lanes", "SubjectRights", "AlertRouter", "IngestAPI", "IngestPanels",
                    "IngestUploads", grdb,
                    nio("NIOCore"), nio("NIOEmbedded"), nio("NIOPosix"),
                ],
                path: "Tests/AlarmsProgrammeTests", swiftSettings: rules),
            .testTarget(
                name: "RainGaugeTests",
                dependencies: ["PipelineTesting", "SocketTesting", "ServiceKit", "Models", "QoE", "Wire"],
                path: "Tests/RainGaugeTests", swiftSettings: rules),
            .testTarget(
                name: "EndToEndTests",
                dependencies: [
                    "PipelineTesting", "TemporaryFiles", "SocketTesting", "ZeroMQ", "Models", "Wire", "Storage",
                    "Lanes", "SubjectRights",
                    "ServiceKit",
                    "QoE", "ReferenceCells", "ExporterRows", "ExporterStores", "AggregatorCells", "Laboratory",
                    "RewardDispatcher", "ProviderEmulators", grdb, crypto,
                ],
                path: "Tests/EndToEndTests", swiftSettings: rules),
        ]),
    cxxLanguageStandard: .cxx20
)
