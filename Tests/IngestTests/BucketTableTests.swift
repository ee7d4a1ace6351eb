import Models
import Testing

@testable import IngestSupport

@Suite struct BucketTableTests {
    private let now: Int64 = 1_760_000_000_000

    @Test func `a bucket gives its burst and then its rate`() {
        let table = BucketTable(BucketRate(perMinute: 60, burst: 5), slots: 64)
        #expect((0..<5).allSatisfy { _ in table.take(of: 1, now: now) == 0 })
        #expect(table.take(of: 1, now: now) == 1_000)
        #expect(table.take(of: 1, now: now + 999) == 1)
        #expect(table.take(of: 1, now: now + 1_000) == 0)
        #expect(table.take(of: 1, now: now + 1_000) == 1_000)
        #expect(table.take(of: 2, now: now) == 0, "another key has a bucket of its own")
        #expect((0..<5).allSatisfy { _ in table.take(of: 1, now: now + 3_600_000) == 0 })
        #expect(table.take(of: 1, now: now + 3_600_000) > 0, "no more than a burst gathers, however long it waits")
    }

    @Test(arguments: [1, 7, 60, 1_200, 600_000])
    func `over any time no more is given than burst and rate and one upload`(perMinute: Int) {
        let burst = 100, largest = 50
        let table = BucketTable(BucketRate(perMinute: perMinute, burst: burst), slots: 64, largest: largest)
        var random = SplitMix64(seed: UInt64(perMinute)), time = now, given = 0
        for _ in 0..<20_000 {
            time += random.below(20 as Int64)
            let wanted = 1 + random.below(largest)
            if table.take(wanted, of: 9, now: time) == 0 { given += wanted }
            let most = Double(burst + largest) + Double(time - now) / 60_000 * Double(perMinute) * 1.011
            #expect(Double(given) <= most + 1)
        }
        let least = Double(time - now) / 60_000 * Double(perMinute)
        #expect(Double(given) >= min(least, 20_000) * 0.9, "whoever always asks gets the rate")
    }

    @Test func `what is said to be waited for is there`() {
        let table = BucketTable(BucketRate(perMinute: 1_200, burst: 20), slots: 64, largest: 1_000)
        var random = SplitMix64(seed: 3), time = now
        for _ in 0..<1_000 {
            let wait = table.take(1 + random.below(1_000), of: 4, now: time)
            #expect(table.wait(of: 4, now: time + wait) == 0 || wait == 0)
            if wait > 1 { #expect(table.wait(of: 4, now: time + wait - 2) > 0) }
            time += wait
        }
    }

    @Test func `an upload of any size gets through and is paid for afterwards`() {
        let table = BucketTable(BucketRate(perMinute: 60, burst: 10), slots: 64, largest: 1_000)
        #expect(table.take(1_000, of: 1, now: now) == 0)
        #expect(table.take(1, of: 1, now: now) == 991_000)
        #expect(table.wait(of: 1, now: now + 991_000) == 0)
    }

    @Test func `what is given back was never taken`() {
        let table = BucketTable(BucketRate(perMinute: 60, burst: 10), slots: 64)
        _ = table.take(4, of: 1, now: now)
        #expect(table.available(to: 1, now: now) == 6)
        table.giveBack(4, of: 1, now: now)
        table.giveBack(4, of: 1, now: now)
        #expect(table.available(to: 1, now: now) == 10, "and nobody can have more than a full bucket")
    }

    @Test func `zero means no limit`() {
        let table = BucketTable(BucketRate(perMinute: 0, burst: 1), slots: 1 << 24)
        #expect((0..<1_000).allSatisfy { _ in table.take(1_000, of: 1, now: now) == 0 })
        #expect(table.wait(of: 1, now: now) == 0 && table.available(to: 1, now: now) == .max)
    }

    @Test func `a clock that is set back locks nobody out`() {
        let table = BucketTable(BucketRate(perMinute: 60, burst: 10), slots: 64)
        while table.take(of: 1, now: now) == 0 {}
        #expect(table.take(of: 1, now: now - 86_400_000) == 0)
    }

    @Test func `a full table lets through instead of limiting the wrong ones`() {
        let table = BucketTable(BucketRate(perMinute: 1, burst: 1), slots: 1_024)
        let refused = (0..<100_000 as Range<UInt64>).filter { table.take(of: $0, now: now) > 0 }
        #expect(refused.count < 20, "two keys share a bucket about once in 10⁵ pairs")
        let limited = (0..<100_000 as Range<UInt64>).filter { table.take(of: $0, now: now) > 0 }
        #expect((900...1_050).contains(limited.count), "those that found room are limited")
        let later = (0..<100_000 as Range<UInt64>).filter { table.take(of: $0, now: now + 60_001) > 0 }
        #expect(later.count < 20, "and their words are free when their time has passed")
    }

    @Test func `many threads together get no more than one`() async {
        let table = BucketTable(BucketRate(perMinute: 1, burst: 10_000), slots: 64)
        let now = now
        let given = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<5_000).count { _ in table.take(of: 5, now: now) == 0 } }
            }
            return await group.reduce(0, +)
        }
        #expect(given == 10_000)
    }
}
