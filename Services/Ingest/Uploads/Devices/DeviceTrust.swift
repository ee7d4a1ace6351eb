public import Models

/// How far a device is trusted, and what that follows from.
///
/// Level 0 is a device of which nothing is known, 1 one that enrolled with an activation code, 2 one that was seen on seven
/// days: days (UTC) on which a receipt said that a record of it was accepted. Days are counted up to the seventh and never
/// again, so that trust costs a write a day in a device's first week and nothing afterwards.
public struct DeviceTrust: Sendable, Equatable {
    /// Days that make a device trusted.
    package static let daysWanted: UInt8 = 7
    /// From its enrolment on a device is young for so long, milliseconds.
    static let youth: UnixMilliseconds = 86_400_000

    /// When it enrolled, Unix milliseconds.
    public let enrolledAt: UnixMilliseconds
    /// It brought an activation code.
    public let isActivated: Bool
    /// Days on which it was seen, no more than are wanted.
    public let daysSeen: UInt8
    /// The last of them, days since 1970 in UTC; 0 if there is none.
    public let lastDay: UInt32

    public init(enrolledAt: UnixMilliseconds, isActivated: Bool = false, daysSeen: UInt8 = 0, lastDay: UInt32 = 0) {
        self.enrolledAt = enrolledAt
        self.isActivated = isActivated
        self.daysSeen = daysSeen
        self.lastDay = lastDay
    }

    /// 0, 1 or 2.
    package var level: Int { daysSeen >= Self.daysWanted ? 2 : isActivated ? 1 : 0 }

    /// What rows carry that arrive at a time; nothing, of a device that has been there for long.
    func flags(at time: UnixMilliseconds) -> RowFlags {
        let flags: RowFlags = level == 0 ? .notTrusted : []
        return time - enrolledAt < Self.youth ? flags.union(.young) : flags
    }

    /// True if being seen on a day would count. A clock that was set back counts no day twice.
    package func isNew(_ day: UInt32) -> Bool { daysSeen < Self.daysWanted && day > lastDay }
}
