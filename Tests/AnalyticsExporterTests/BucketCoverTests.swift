import Foundation
import Testing

@testable import ExporterAPI

@Suite struct BucketCoverTests {
    private static let zones = ["Africa/Douala", "Europe/Paris", "Asia/Kolkata", "UTC"]

    @Test(arguments: zones)
    func `every five minutes are in exactly one bucket`(zone: String) {
        let cover = BucketCover(zone: TimeZone(identifier: zone)!)
        var random = SystemRandomNumberGenerator()
        // Around the change to summer time in Europe, 29 March 2026, 01:00 UTC.
        for _ in 0..<60 {
            let from = 1_774_746_000 + Int64.random(in: -400_000...400_000, using: &random)
            let to = from + Int64.random(in: 0...500_000, using: &random)
            let (start, end) = BucketCover.rounded(from: from, to: to)
            var now = start
            for bucket in cover.buckets(from: from, to: to) {
                #expect(bucket.start == now)
                now = bucket.seconds == 86_400 ? nextDay(after: bucket.start, zone) : bucket.start + bucket.seconds
            }
            #expect(now == end)
        }
    }

    @Test func `a whole local day is one bucket`() {
        let cover = BucketCover(zone: TimeZone(identifier: "Africa/Douala")!)
        // 2026-03-01T00:00 in Douala is 23:00 UTC of the day before.
        let start: Int64 = 1_772_323_200 - 3600
        #expect(cover.buckets(from: start, to: start + 86_400) == [Bucket(seconds: 86_400, start: start)])
    }

    @Test func `a day of twenty three hours is one bucket`() {
        let cover = BucketCover(zone: TimeZone(identifier: "Europe/Paris")!)
        // 2026-03-29 begins at 23:00 UTC of the 28th and has 23 hours.
        let start: Int64 = 1_774_738_800
        #expect(cover.buckets(from: start, to: start + 23 * 3600) == [Bucket(seconds: 86_400, start: start)])
    }

    @Test func `no time has no buckets`() {
        let cover = BucketCover(zone: TimeZone(identifier: "UTC")!)
        #expect(cover.buckets(from: 600, to: 600).isEmpty)
    }

    private func nextDay(after start: Int64, _ zone: String) -> Int64 {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone)!
        let next = calendar.date(byAdding: .day, value: 1, to: Date(timeIntervalSince1970: Double(start)))!
        return Int64(next.timeIntervalSince1970)
    }
}
