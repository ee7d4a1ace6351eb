public import Models

/// What the router needs of a record.
public struct UrgentRecord: Sendable, Equatable {
    public let key: AlarmKey
    public let problem: AlarmProblem
    /// Ordinal of the device.
    public let device: Int64
    public let receivedAt: UnixMilliseconds
    /// The network that served it where that is known and another one than the SIM's.
    public let serving: PLMN?
    /// What ingest noticed.
    public let flags: RowFlags
    /// Where it was read from; nil where that is not wanted.
    public let place: RowPlace?

    public init(
        key: AlarmKey, problem: AlarmProblem, device: Int64, receivedAt: UnixMilliseconds, serving: PLMN? = nil,
        flags: RowFlags = [], place: RowPlace? = nil
    ) {
        self.flags = flags
        self.key = key
        self.problem = problem
        self.device = device
        self.receivedAt = receivedAt
        self.serving = serving
        self.place = place
    }

    /// Whether it counts in an alarm: warnings are anybody's, what is worse is that of devices that are trusted enough.
    func counts(under policy: TrustPolicy) -> Bool { problem.severity <= .warning || policy.counts(flags) }
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
