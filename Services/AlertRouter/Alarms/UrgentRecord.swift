public import Models

/// What the router needs of a record.
public struct UrgentRecord: Sendable, Equatable {
    public let key: AlarmKey
    public let problem: AlarmProblem
    /// Ordinal of the device.
    public let device: Int64
    public let receivedAt: UnixMilliseconds
    /// By the phone's clock, as ingest corrected it.
    public let capturedAt: UnixMilliseconds
    /// The phone was told where it is.
    public let isMocked: Bool
    /// The network that served it where that is known and another one than the SIM's.
    public let serving: PLMN?
    /// What ingest noticed.
    public let flags: RowFlags
    /// Where it was read from; nil where that is not wanted.
    public let place: RowPlace?

    public init(
        key: AlarmKey, problem: AlarmProblem, device: Int64, receivedAt: UnixMilliseconds,
        capturedAt: UnixMilliseconds? = nil, isMocked: Bool = false, serving: PLMN? = nil, flags: RowFlags = [],
        place: RowPlace? = nil
    ) {
        self.flags = flags
        self.key = key
        self.problem = problem
        self.device = device
        self.receivedAt = receivedAt
        self.capturedAt = capturedAt ?? receivedAt
        self.isMocked = isMocked
        self.serving = serving
        self.place = place
    }

    /// Why it counts in no alarm; nil if it counts.
    ///
    /// Warnings are anybody's, what is worse is that of devices that are trusted enough.
    func exclusion(under policy: TrustPolicy) -> AlarmExclusion? {
        if isMocked { return .mocked }
        if receivedAt - capturedAt > problem.lateness { return .late }
        if capturedAt - receivedAt > AcceptanceHorizon.ahead { return .future }
        return problem.severity <= .warning || policy.counts(flags) ? nil : .untrusted
    }
}

/// Why an urgent record counts in no alarm; the value of `reason` of the metric that counts them.
public enum AlarmExclusion: String, Sendable, CaseIterable {
    /// Its device is not trusted as far as the setting asks.
    case untrusted
    /// It was received later after its capture than its problem allows (``AlarmProblem/lateness``).
    case late
    /// It was captured in the future.
    case future
    case mocked = "mock_location"
}

/// Where a record stands: its block, and its row in it from 0.
public struct RowPlace: Sendable, Hashable {
    public let position: Position
    public let row: Int

    public init(position: Position, row: Int) {
        self.position = position
        self.row = row
    }
}
