import ZeroMQ

/// What `tail` asks a replay endpoint.
enum TailRequest: Equatable, Sendable {
    case snapshot(prefix: String)
    case replay(after: Int64, prefix: String)

    var frames: [Frame] {
        switch self {
        case .snapshot(let prefix): ["SNAPSHOT", prefix].map { Frame($0.utf8) }
        case .replay(let after, let prefix): ["REPLAY", "\(after)", prefix].map { Frame($0.utf8) }
        }
    }
}
