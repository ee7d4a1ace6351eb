public import Models

/// What statistics are kept of; the raw value is what cells store.
public enum Metric: UInt8, Sendable, CaseIterable {
    case download = 0, upload, latency, jitter, loss, rsrp, rsrq, sinr, rssi, rating, event

    /// Name in queries and dumps.
    public var name: String {
        switch self {
        case .download: "download_kbps"
        case .upload: "upload_kbps"
        case .latency: "latency_ms"
        case .jitter: "jitter_ms"
        case .loss: "loss_pct"
        case .rsrp: "rsrp_dbm"
        case .rsrq: "rsrq_db"
        case .sinr: "sinr_db"
        case .rssi: "rssi_dbm"
        case .rating: "rating"
        case .event: "event"
        }
    }

    /// The metric of that name.
    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }

    /// The column of reports and feedback it is measured by.
    public var column: UInt8 {
        switch self {
        case .download: ColumnID.download
        case .upload: ColumnID.upload
        case .latency: ColumnID.latency
        case .jitter: ColumnID.jitter
        case .loss: ColumnID.loss
        case .rsrp: ColumnID.rsrp
        case .rsrq: ColumnID.rsrq
        case .sinr: ColumnID.sinr
        case .rssi: ColumnID.rssi
        case .rating: ColumnID.rating
        case .event: ColumnID.event
        }
    }

    /// True if it is counted for the network of the SIM (failures and feedback); radio figures count for the serving one.
    public var isOfSIM: Bool { self == .rating || self == .event }

    /// How values fall into bins.
    public var bins: BinTable {
        switch self {
        case .download, .upload, .latency, .jitter: .logarithmic
        case .loss: .linear(divisor: 10)
        case .rsrp, .rsrq, .sinr, .rssi: .linear(divisor: 10)
        case .rating, .event: .linear(divisor: 1)
        }
    }
}
