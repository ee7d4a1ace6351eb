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
    /// What records, decisions and retention are timed by; a recording's clock with `NKUL_CLOCK=recording`.
    public let clock: WallClock
    /// What has to do with the world beside the recording is timed by: people who are logged in, providers, the machine.
    public let systemClock: WallClock
    /// `run()` waits on it; threads end the service through it.
    public let stop: StopSignal

    /// - Parameters:
    ///   - home: prepared already.
    ///   - clock: the system's.
    ///   - recording: the clock that services follow instead, where they follow a recording.
    public init(
        _ service: ServiceName, home: Home, logger: Logger? = nil, clock: WallClock = .system,
        recording: RecordingClock? = nil
    ) {
        self.service = service
        self.home = home
        self.logger = logger ?? Log.logger(service.rawValue)
        metrics = Metrics()
        readiness = Readiness()
        listeners = Listeners(service, home: home, startedAt: clock.now())
        self.clock = recording.map { WallClock($0) } ?? clock
        systemClock = clock
        stop = StopSignal()
    }
}
