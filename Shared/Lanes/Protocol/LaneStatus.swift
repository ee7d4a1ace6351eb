public import Models

/// How a reader stands on a lane, for readiness and for people.
public enum LaneStatus: Sendable, Equatable {
    /// No answer from the writer yet. Blocks wait in its journal; nothing is lost.
    case waiting
    /// So many blocks between what this service has committed and the writer's head.
    case behind(UInt64)
    /// Everything up to the writer's head is applied.
    case current
    /// Everything is applied, and nothing new but heartbeats comes.
    case idle
    /// The writer was heard before, but not for more than ``LaneReaderCore/heartbeatTimeout``: it is dead, stopped or cut off.
    case silent
    /// Must not go on until somebody acts.
    case stopped(LaneError)
    /// The writer refused for another reason, in its words.
    case refused(String)

    /// True unless somebody has to act.
    public var isSound: Bool {
        switch self {
        case .waiting, .behind, .current, .idle, .silent: true
        case .stopped, .refused: false
        }
    }

    /// True in a session with a writer that is alive.
    public var isConnected: Bool {
        switch self {
        case .behind, .current, .idle: true
        case .waiting, .silent, .stopped, .refused: false
        }
    }

    /// One sentence for `/readyz`.
    public func sentence(_ lane: LaneName) -> String {
        switch self {
        case .waiting: "lane \(lane.rawValue): waiting for its writer"
        case .behind(let blocks): "lane \(lane.rawValue): \(blocks) blocks behind"
        case .current: "lane \(lane.rawValue): up to date"
        case .idle: "lane \(lane.rawValue): up to date, nothing new"
        case .silent: "lane \(lane.rawValue): its writer is silent"
        case .stopped(let error): error.description
        case .refused(let text): "lane \(lane.rawValue): refused: \(text)"
        }
    }
}

/// The last heartbeat of a lane's writer.
package struct LaneHeartbeat: Sendable, Equatable {
    /// The writer's last block then.
    package let head: UInt64
    /// The writer's clock.
    package let time: UnixMilliseconds
    /// When it came: milliseconds of the reader's clock that only rises.
    package let cameAt: Int64
    /// Everything acknowledged to phones before this moment counts in the blocks up to ``head``; nil if the writer does not say.
    package let completeTo: UnixMilliseconds?

    package init(head: UInt64, time: UnixMilliseconds, cameAt: Int64, completeTo: UnixMilliseconds? = nil) {
        self.head = head
        self.time = time
        self.cameAt = cameAt
        self.completeTo = completeTo
    }
}
