/// How long a kind of data may be kept, and by which services.
public struct RetentionRule: Sendable, Equatable {
    /// Days, unless the settings say otherwise.
    public let days: Int
    /// What the settings may say, days; nothing younger than the lower bound is ever deleted.
    public let range: ClosedRange<Int>
    /// Services that keep it, by the names of their programs without `nkul-`.
    public let keepers: [String]

    init(_ days: Int, in range: ClosedRange<Int>, at keepers: String...) {
        self.days = days
        self.range = range
        self.keepers = keepers
    }

    /// True if no setting changes the days.
    public var isFixed: Bool { range.count == 1 }
}
