/// A lane: a durable, ordered stream of blocks with one writing service.
public enum LaneName: String, Sendable, CaseIterable, Hashable, Codable {
    case realtime, batch, requests, alerts, rollups, rewards, privacy, operations, deliveries

    /// What a lane carries: facts that are trimmed by time, or the latest of each key.
    public enum Nature: Sendable { case event, state }

    public var nature: Nature {
        switch self {
        case .realtime, .batch, .requests: .event
        case .alerts, .rollups, .rewards, .privacy, .operations, .deliveries: .state
        }
    }

    /// Number on the wire, never reused.
    public var id: UInt8 { UInt8(Self.allCases.firstIndex(of: self)!) }
}
