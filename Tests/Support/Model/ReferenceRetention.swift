/// What is kept for how long, by the names of `docs/retention.md`: whole days, counted from 1970.
public struct ReferenceRetention: Sendable {
    private static let day = 86_400_000
    /// The daily run, 03:30 in Douala, milliseconds after midnight in UTC.
    private static let runsAt = 9_000_000

    /// Days by kind.
    public let days: [String: Int]
    /// When the last run was ordered, Unix milliseconds; nil before the first.
    public private(set) var ranAt: Int?

    public init(days: [String: Int]) {
        self.days = days
    }

    /// A run was ordered, and everybody has executed it.
    mutating func run(at time: Int) { ranAt = time }

    /// What a run of a time takes of a kind: everything before.
    public func cutoff(of kind: String, at time: Int) -> Int { (time / Self.day - days[kind]!) * Self.day }

    /// Whether something is still there after the last run.
    public func keeps(_ kind: String, of time: Int) -> Bool {
        ranAt.map { time >= cutoff(of: kind, at: $0) } ?? true
    }

    /// Whether the day's run has come since a time.
    public static func isDue(since time: Int, by now: Int) -> Bool {
        let midnight = time / day * day
        let next = midnight + runsAt > time ? midnight + runsAt : midnight + day + runsAt
        return next <= now
    }
}
