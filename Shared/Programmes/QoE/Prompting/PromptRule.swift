/// Which threshold of the prompt policy made a phone ask; the raw value is what columns store.
public enum PromptRule: Int64, Sendable, CaseIterable {
    case callDrop = 0, slowSpeed, noService, emergency

    /// Name in the device API.
    public var name: String {
        switch self {
        case .callDrop: "call_drop"
        case .slowSpeed: "slow_speed"
        case .noService: "no_service"
        case .emergency: "emergency"
        }
    }
}
