public import Models

/// The services, six that every home has and the notifier: the names under which people, files and settings know them.
public enum ServiceName: String, CaseIterable, Sendable, Codable {
    case ingest
    case alertRouter = "alert-router"
    case batchAggregator = "batch-aggregator"
    case rewardDispatcher = "reward-dispatcher"
    case privacyWorker = "privacy-worker"
    case analyticsExporter = "analytics-exporter"
    /// Optional: a home without channels has none.
    case notifier

    /// The services that every home has.
    public static let built: [ServiceName] = [
        .alertRouter, .batchAggregator, .rewardDispatcher, .privacyWorker, .analyticsExporter, .ingest,
    ]

    /// The program: `nkul-ingest`.
    public var executable: String { "nkul-\(rawValue)" }

    /// The part of a settings key that names the service: `ALERT_ROUTER`.
    public var keyPart: String { rawValue.uppercased().replacing("-", with: "_") }

    /// The beginnings of settings that only this service reads and checks.
    package var settingPrefixes: [String] {
        switch self {
        case .alertRouter: ["NKUL_ALERT_ROUTER_", "NKUL_ALERTS_"]
        case .analyticsExporter: ["NKUL_ANALYTICS_EXPORTER_", "NKUL_EXPORTER_"]
        default: ["NKUL_\(keyPart)_"]
        }
    }

    /// The TCP port of the admin endpoint unless `NKUL_ADMIN_<SERVICE>` says otherwise: 9101…9107.
    package var defaultAdminPort: Int { 9101 + Self.allCases.firstIndex(of: self)! }
}

extension LaneName {
    /// The service that writes it.
    public var writer: ServiceName {
        switch self {
        case .realtime, .batch, .requests: .ingest
        case .alerts: .alertRouter
        case .rollups: .batchAggregator
        case .rewards: .rewardDispatcher
        case .privacy: .privacyWorker
        case .operations: .analyticsExporter
        case .deliveries: .notifier
        }
    }
}
