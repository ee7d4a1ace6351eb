internal import Models

/// Minutes since 1970, and their last 16 bits, which is enough within a window of at most a day.
enum Minutes {
    static let milliseconds: UnixMilliseconds = 60_000

    static func minute(_ time: UnixMilliseconds) -> Int32 {
        Int32(clamping: time >= 0 ? time / milliseconds : (time + 1) / milliseconds - 1)
    }

    /// When a minute begins.
    static func time(_ minute: Int32) -> UnixMilliseconds { UnixMilliseconds(minute) * milliseconds }

    /// 1…65535; 0 stands for "never".
    static func stamp(_ minute: Int32) -> UInt16 { UInt16((minute % 65_535 + 65_535) % 65_535 + 1) }

    /// Minutes from the first stamp to the second, 0…65534.
    static func distance(_ first: UInt16, _ second: UInt16) -> Int32 {
        (Int32(second) - Int32(first) + 65_535) % 65_535
    }

    /// Whether a stamp is the later one; stamps that are compared lie within three weeks.
    static func isLater(_ stamp: UInt16, than other: UInt16) -> Bool {
        other == 0 || stamp != other && distance(other, stamp) < 32_768
    }

    /// Whether a stamp is one of the `length` minutes that end with a minute.
    static func isWithin(_ stamp: UInt16, _ length: Int32, of minute: Int32) -> Bool {
        stamp != 0 && distance(stamp, self.stamp(minute)) < length
    }
}
