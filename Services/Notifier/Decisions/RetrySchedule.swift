internal import Models

/// When a delivery that failed is tried again. Pure.
struct RetrySchedule: Sendable, Equatable {
    /// Until the first repetition, milliseconds; then doubled.
    var firstPause: UnixMilliseconds = 1_000
    var longestPause: UnixMilliseconds = 900_000
    /// Tries, and the time since it was made, after which a delivery is given up.
    var mostAttempts: Int64 = 50
    var longest: UnixMilliseconds = 86_400_000

    /// When to try next; nil if it is given up.
    ///
    /// - Parameters:
    ///   - attempts: tries that failed, with this one.
    ///   - retryAfter: what the other side asked for.
    ///   - random: any number; pauses differ by it by up to a fifth, so that what failed together is not tried together.
    func next(
        attempts: Int64, createdAt: UnixMilliseconds, now: UnixMilliseconds, retryAfter: UnixMilliseconds? = nil,
        random: UInt64
    ) -> UnixMilliseconds? {
        guard attempts < mostAttempts, now - createdAt < longest else { return nil }
        return now + max(pause(attempts, random), retryAfter ?? 0)
    }

    /// Of something that is never given up.
    func pause(_ attempts: Int64, _ random: UInt64) -> UnixMilliseconds {
        let doubled = attempts > 40 ? longestPause : min(firstPause << max(attempts - 1, 0), longestPause)
        let fifth = doubled / 5
        return doubled - fifth + UnixMilliseconds(random % UInt64(2 * fifth + 1))
    }
}

/// How many messages of a channel leave in a minute: a window that slides. Pure, by a clock that only rises; forgotten at a
/// restart.
struct ChannelPace: Sendable, Equatable {
    private var sent: [Int64] = []

    /// When the next one may leave; nil for now.
    mutating func nextAt(_ now: Int64, limit: Int) -> Int64? {
        sent.removeAll { $0 <= now - 60_000 }
        return sent.count < limit ? nil : sent[sent.count - limit] + 60_000
    }

    mutating func leave(_ now: Int64) { sent.append(now) }
}
