internal import Foundation
internal import Models

/// One bucket of time.
struct Bucket: Equatable, Hashable {
    /// 300, 3 600 or 86 400 (a local day, whatever its length).
    let seconds: Int64
    /// Its begin in Unix seconds.
    let start: Int64
}

/// Chooses the fewest buckets that together are a period, each moment in exactly one of them.
struct BucketCover {
    /// The zone whose midnights separate days.
    let zone: TimeZone

    /// The buckets of `[from, to)` in Unix seconds, ascending; both ends are first moved outwards to whole 5 minutes.
    func buckets(from: Int64, to: Int64) -> [Bucket] {
        let (start, end) = Self.rounded(from: from, to: to)
        var buckets: [Bucket] = []
        var now = start
        while now < end {
            let nextDay = nextDay(after: now)
            if dayStart(of: now) == now, nextDay <= end {
                buckets.append(Bucket(seconds: 86_400, start: now))
                now = nextDay
            } else if now % 3600 == 0, now + 3600 <= min(end, nextDay) {
                buckets.append(Bucket(seconds: 3600, start: now))
                now += 3600
            } else {
                buckets.append(Bucket(seconds: 300, start: now))
                now += 300
            }
        }
        return buckets
    }

    /// The buckets of one length that a period touches, ascending.
    func buckets(of length: CellKey.Bucket, from: Int64, to: Int64) -> [Bucket] {
        let seconds = Int64(length.seconds)
        var start = length == .day ? dayStart(of: from) : from / seconds * seconds
        var buckets: [Bucket] = []
        while start < to {
            buckets.append(Bucket(seconds: seconds, start: start))
            start = length == .day ? nextDay(after: start) : start + seconds
        }
        return buckets
    }

    /// The first midnight after a moment.
    func nextDay(after second: Int64) -> Int64 { dayStart(at: second + 26 * 3600, notAfter: second) }

    /// The period with both ends moved outwards to whole 5 minutes.
    static func rounded(from: Int64, to: Int64) -> (from: Int64, to: Int64) {
        ((from / 300) * 300, (to + 299) / 300 * 300)
    }

    /// The begin of the local day that a moment lies in.
    func dayStart(of second: Int64) -> Int64 {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return Int64(calendar.startOfDay(for: Date(timeIntervalSince1970: TimeInterval(second))).timeIntervalSince1970)
    }

    /// The first midnight after `second`; a day has at most 25 hours.
    private func dayStart(at later: Int64, notAfter second: Int64) -> Int64 {
        let candidate = dayStart(of: later)
        let today = dayStart(of: second)
        // From late in a day, 26 hours on may be two midnights away.
        let between = dayStart(of: today + 26 * 3600)
        return between > second ? min(between, candidate) : candidate
    }
}
