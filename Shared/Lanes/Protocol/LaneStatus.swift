public import Models

/// How a reader stands on a lane, for readiness and for people.
public enum LaneStatus: Sendable, Equatable {
    /// No answer from the writer yet, or not any more. Blocks wait in its journal; nothing is lost.
    case waiting
    /// In a session; so many blocks behind the writer's head.
    case reading(behind: UInt64)
    /// Must not go on until somebody acts.
    case stopped(LaneError)
    /// The writer refused for another reason, in its words.
    case refused(String)

    /// True unless somebody has to act.
    public var isSound: Bool {
        switch self {
        case .waiting, .reading: true
        case .stopped, .refused: false
        }
    }

    /// True in a session with the writer.
    public var isConnected: Bool {
        if case .reading = self { true } else { false }
    }

    /// One sentence for `/readyz`.
    public func sentence(_ lane: LaneName) -> String {
        switch self {
        case .waiting: "lane \(lane.rawValue): waiting for its writer"
        case .reading(0): "lane \(lane.rawValue): up to date"
        case .reading(let behind): "lane \(lane.rawValue): \(behind) blocks behind"
        case .stopped(let error): error.description
        case .refused(let text): "lane \(lane.rawValue): refused: \(text)"
        }
    }
}
