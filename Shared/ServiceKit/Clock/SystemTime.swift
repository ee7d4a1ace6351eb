import Glibc
import Foundation
public import Models

/// The system's clock and its text.
public enum SystemTime {
    /// `CLOCK_REALTIME` in Unix milliseconds.
    public static func unixMilliseconds() -> UnixMilliseconds {
        Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))
    }

    /// RFC 3339 in UTC with milliseconds: `2025-06-15T12:26:40.000Z`.
    public static func text(_ time: UnixMilliseconds) -> String {
        var seconds = time_t(time >= 0 ? time / 1_000 : (time - 999) / 1_000)
        let milliseconds = Int(time - Int64(seconds) * 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = "\(pad(Int(parts.tm_year) + 1900, 4))-\(pad(Int(parts.tm_mon) + 1, 2))-\(pad(Int(parts.tm_mday), 2))"
        let clock = "\(pad(Int(parts.tm_hour), 2)):\(pad(Int(parts.tm_min), 2)):\(pad(Int(parts.tm_sec), 2))"
        return "\(date)T\(clock).\(pad(milliseconds, 3))Z"
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
