public import Models

/// What the router needs of a record.
public struct UrgentRecord: Sendable, Equatable {
    public let key: AlarmKey
    public let problem: AlarmProblem
    /// Ordinal of the device.
    public let device: Int64
    public let receivedAt: UnixMilliseconds

    public init(key: AlarmKey, problem: AlarmProblem, device: Int64, receivedAt: UnixMilliseconds) {
        self.key = key
        self.problem = problem
        self.device = device
        self.receivedAt = receivedAt
    }
}
