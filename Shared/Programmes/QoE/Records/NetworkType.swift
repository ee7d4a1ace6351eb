/// The radio technology of a measurement; the raw value is what columns store.
public enum NetworkType: Int64, Sendable, CaseIterable {
    case unknown = 0, gsm, gprs, edge, umts, hspa, hspaPlus, lte, lteCA, nrNSA, nrSA, wifi, ethernet, none

    /// Name in the device API.
    public var name: String {
        switch self {
        case .unknown: "UNKNOWN"
        case .gsm: "GSM"
        case .gprs: "GPRS"
        case .edge: "EDGE"
        case .umts: "UMTS"
        case .hspa: "HSPA"
        case .hspaPlus: "HSPA_PLUS"
        case .lte: "LTE"
        case .lteCA: "LTE_CA"
        case .nrNSA: "NR_NSA"
        case .nrSA: "NR_SA"
        case .wifi: "WIFI"
        case .ethernet: "ETHERNET"
        case .none: "NONE"
        }
    }

    /// The generation it belongs to, by which statistics are kept apart.
    public var technology: Technology {
        switch self {
        case .unknown: .unknown
        case .gsm, .gprs, .edge: .g2
        case .umts, .hspa, .hspaPlus: .g3
        case .lte, .lteCA: .g4
        case .nrNSA, .nrSA: .g5
        case .wifi: .wifi
        case .ethernet: .ethernet
        case .none: .none
        }
    }
}

/// What a phone saw happen; the raw value is what columns store.
public enum NetworkEvent: Int64, Sendable, CaseIterable {
    case callDrop = 0, callSetupFailure, noService, slowData, emergency

    /// Name in the device API.
    public var name: String {
        switch self {
        case .callDrop: "call_drop"
        case .callSetupFailure: "call_setup_failure"
        case .noService: "no_service"
        case .slowData: "slow_data"
        case .emergency: "emergency"
        }
    }
}
