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
