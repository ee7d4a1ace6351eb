public import Logging

/// What a service finds around it: handed to its `build`, by `ServiceMain` or by a test.
public struct ServiceHost: Sendable {
    public let service: ServiceName
    public let home: Home
    public let logger: Logger
    public let metrics: Metrics
    public let readiness: Readiness
    public let listeners: Listeners
    /// What the service answers on its control socket, beside `status`.
    public let control = ControlCalls()
    public let clock: WallClock
    /// `run()` waits on it; threads end the service through it.
    public let stop: StopSignal

    /// - Parameter home: prepared already.
    public init(_ service: ServiceName, home: Home, logger: Logger? = nil, clock: WallClock = .system) {
        self.service = service
        self.home = home
        self.logger = logger ?? Log.logger(service.rawValue)
        metrics = Metrics()
        readiness = Readiness()
        listeners = Listeners(service, home: home, startedAt: clock.now())
        self.clock = clock
        stop = StopSignal()
    }
}
