public import Lanes
public import Models

extension Readiness {
    /// Declares a condition for each lane that the service reads: `lane batch`.
    public func declare(_ lanes: [LaneName]) {
        for lane in lanes { declare(Self.name(lane)) }
    }

    /// Shows how the service stands on the lanes it reads. A writer that is away or silent is noted, and no reason not to be
    /// ready: nobody has to act here.
    public func show(_ statuses: [LaneName: LaneStatus]) {
        for (lane, status) in statuses {
            if status.isSound {
                hold(Self.name(lane), note: status.isConnected ? nil : status.sentence(lane))
            } else {
                fail(Self.name(lane), status.sentence(lane))
            }
        }
    }

    private static func name(_ lane: LaneName) -> String { "lane \(lane.rawValue)" }
}
