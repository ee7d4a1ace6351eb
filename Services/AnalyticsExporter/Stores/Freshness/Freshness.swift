package import Lanes
package import Models
package import ServiceKit
internal import Synchronization

/// Up to which moment figures are complete, and which services are heard. From any thread.
///
/// A figure is complete to a moment if everything acknowledged to phones before it counts in the figure (`docs/lanes.md`,
/// heartbeats).
package final class Freshness: Sendable {
    /// How a service's lanes stand.
    package struct Health: Sendable, Equatable {
        package enum State: String, Sendable {
            /// It was heard within the last three seconds.
            case alive
            /// It was heard before, but not for more than three seconds.
            case silent
            /// It was not heard since this service began.
            case waiting
            /// Somebody must act: its lane was refused.
            case stopped
        }

        package let service: ServiceName
        package let state: State
        /// Milliseconds since it was last heard, or since this service began to listen.
        package let silence: Int64
    }

    private let moments = Mutex<[LaneName: UnixMilliseconds]>([:])
    private let lanes = Mutex<@Sendable () -> [LaneName: (LaneStatus, InboxFigures)]>({ [:] })

    package init() {}

    /// What the effects were told last.
    package func set(_ moments: [LaneName: UnixMilliseconds]) { self.moments.withLock { $0 = moments } }

    /// Where to ask how lanes stand.
    package func watch(_ lanes: @escaping @Sendable () -> [LaneName: (LaneStatus, InboxFigures)]) {
        self.lanes.withLock { $0 = lanes }
    }

    /// Of the phones' API's clock; nil until it is known.
    package func completeTo(_ figure: Figure) -> UnixMilliseconds? {
        moments.withLock { $0.moment(of: figure.lanes) }
    }

    /// The services whose lanes are read here, by name; of several lanes the worst counts. A reward dispatcher that was never
    /// heard is not among them: a home may pay no rewards.
    package var health: [Health] {
        var found: [ServiceName: Health] = [:]
        for (lane, (status, inbox)) in lanes.withLock({ $0 })() {
            let service = lane.writer
            let health = Health(service: service, state: Self.state(status), silence: inbox.silence)
            guard service != .rewardDispatcher || health.state != .waiting else { continue }
            if let known = found[service], Self.order(known.state) >= Self.order(health.state) { continue }
            found[service] = health
        }
        return found.values.sorted { $0.service.rawValue < $1.service.rawValue }
    }

    private static func state(_ status: LaneStatus) -> Health.State {
        switch status {
        case .waiting: .waiting
        case .behind, .current, .idle: .alive
        case .silent: .silent
        case .stopped, .refused: .stopped
        }
    }

    private static func order(_ state: Health.State) -> Int {
        switch state {
        case .alive: 0
        case .waiting: 1
        case .silent: 2
        case .stopped: 3
        }
    }
}
