import Models
import Testing

@testable import SubjectRights

@Suite struct SliceThrottleTests {
    /// A stopwatch that shows what it is set to.
    private final class Stopwatch {
        var shows = ContinuousClock.now
    }

    private let stopwatch = Stopwatch()

    private func pace() -> SliceThrottle { SliceThrottle { [stopwatch] in stopwatch.shows } }

    /// A slice that begins now; when the next may follow, in milliseconds after it began.
    private func slice(_ pace: inout SliceThrottle, _ length: Duration, now: UnixMilliseconds) -> UnixMilliseconds {
        pace.began()
        stopwatch.shows += length
        pace.ended(now: now)
        return pace.nextSlice - now
    }

    @Test func `without rows or with few nothing rests`() {
        var pace = pace()
        _ = slice(&pace, .seconds(1), now: 10_000)
        #expect(pace.nextSlice == 0)
        pace.came(SliceThrottle.busy - 1, now: 10_000)
        _ = slice(&pace, .seconds(1), now: 10_500)
        #expect(pace.nextSlice == 0)
    }

    /// 125 000 rows a second leave a slice 1/250 of the time.
    @Test(arguments: zip([1_000, 10_000, 125_000, 500_000], [2, 20, 250, 1_000] as [UnixMilliseconds]))
    func `the more rows the longer the rest`(rows: Int, rest: UnixMilliseconds) {
        var pace = pace()
        pace.came(rows, now: 10_000)
        #expect(slice(&pace, .milliseconds(1), now: 10_000) == 1 + rest)
    }

    @Test func `no rest is longer than five seconds`() {
        var pace = pace()
        pace.came(1_000_000, now: 10_000)
        _ = slice(&pace, .milliseconds(100), now: 10_000)
        for now in [11_000, 12_000, 13_000, 14_000] as [UnixMilliseconds] { pace.came(1_000_000, now: now) }
        #expect(pace.nextSlice == 10_000 + 100 + 5_000)
    }

    @Test func `a rest is over when rows have stopped coming`() {
        var pace = pace()
        pace.came(1_000_000, now: 10_000)
        #expect(slice(&pace, .milliseconds(100), now: 10_000) == 2_000)
        pace.came(10, now: 11_500)
        #expect(pace.nextSlice == 13_500)
        pace.came(10, now: 12_500)
        #expect(pace.nextSlice == 0)
    }

    /// Slices of 0.1 ms have rests of 0.2 ms each: every fifth one is counted.
    @Test func `rests below a millisecond add up`() {
        var pace = pace(), rests: [UnixMilliseconds] = []
        pace.came(1_000, now: 10_000)
        for _ in 0..<10 { rests.append(slice(&pace, .microseconds(100), now: 10_000)) }
        #expect(rests == [0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    }

    /// The rows of this second or of the one before, whichever are more; those of older ones are forgotten.
    @Test func `the rate is that of the last two seconds`() {
        var pace = pace()
        pace.came(5_000, now: 10_000)
        pace.came(1_000, now: 11_000)
        #expect(slice(&pace, .milliseconds(1), now: 11_000) == 1 + 10)
        pace.came(1_000, now: 12_000)
        #expect(slice(&pace, .milliseconds(1), now: 12_000) == 1 + 2)
        let before = pace.nextSlice
        _ = slice(&pace, .milliseconds(1), now: 14_000)
        #expect(pace.nextSlice == before)
    }
}
