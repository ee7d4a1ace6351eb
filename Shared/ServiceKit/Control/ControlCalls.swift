internal import Synchronization

/// The calls that a service offers on its control socket: filled by its `build`, answered by ``ControlServer``.
public final class ControlCalls: Sendable {
    private let offered = Mutex<[ControlCall]>([])

    public init() {}

    /// Adds calls; to be done before the service runs. The last of one name counts.
    public func offer(_ calls: [ControlCall]) { offered.withLock { $0 += calls } }

    /// What was offered, in order.
    public var all: [ControlCall] { offered.withLock { $0 } }
}
