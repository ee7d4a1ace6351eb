/// How far a device can be trusted: when it enrolled, whether with a code, and the days on which something of it was accepted.
public struct ReferenceTrust: Sendable, Equatable {
    private static let day = 86_400_000

    /// When its enrolment was committed, Unix milliseconds; nil if that was a moment ago, whenever it is asked.
    public var enrolledAt: Int?
    /// It enrolled with an activation code.
    public var hasCode: Bool
    /// Days since 1970 in UTC.
    public private(set) var daysSeen: Set<Int>

    public init(enrolledAt: Int? = nil, hasCode: Bool = false, daysSeen: Set<Int> = []) {
        self.enrolledAt = enrolledAt
        self.hasCode = hasCode
        self.daysSeen = daysSeen
    }

    /// Something of it was accepted, and it was told so.
    mutating func see(at time: Int) { daysSeen.insert(time / Self.day) }

    /// It had a code, or was seen on a week of days.
    public var isTrusted: Bool { hasCode || daysSeen.count >= 7 }

    /// Enrolled less than 24 hours before a time.
    public func isYoung(at time: Int) -> Bool { enrolledAt.map { time < $0 + Self.day } ?? true }
}
