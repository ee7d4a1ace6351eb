import Foundation
import Testing

@testable import AggregatorCells

@Suite struct LocalDaysTests {
    @Test(arguments: ["Africa/Douala", "Europe/Paris", "Asia/Kolkata", "Pacific/Apia", "UTC"])
    func `every time is in the day of its name`(zone: String) {
        var days = LocalDays(TimeZone(identifier: zone)!), fresh = days
        for second in stride(from: Int64(1_784_000_000), to: 1_800_000_000, by: 13_777) {
            let day = days.day(of: second)
            #expect(day <= second && second - day < 26 * 3_600)
            #expect(fresh.day(named: days.name(of: day)) == day)
            #expect(days.day(of: day) == day)
            #expect(days.day(of: day - 1) < day)
        }
    }

    @Test func `names that are no days are none`() {
        var days = LocalDays(TimeZone(identifier: "UTC")!)
        for name in ["", "2026-02-30", "2026-1-1", "state", "2026-01-01-", "....-..-.."] {
            #expect(days.day(named: name) == nil)
        }
    }

    @Test func `rows of some days mixed ask the calendar once a day`() {
        let zone = TimeZone(identifier: "Africa/Douala")!
        var days = LocalDays(zone)
        for round in 0..<1_000 {
            for day in 0..<Int64(8) {
                let second = 1_790_000_000 + day * 86_400 + Int64(round)
                var fresh = LocalDays(zone)
                #expect(days.day(of: second) == fresh.day(of: second) && days.end(of: second) == fresh.end(of: second))
            }
        }
        #expect(days.lookUps == 8)
        // More days than are kept: the first is looked up again.
        for day in 8..<Int64(40) { _ = days.day(of: 1_790_000_000 + day * 86_400) }
        var fresh = LocalDays(zone)
        #expect(days.day(of: 1_790_000_000) == fresh.day(of: 1_790_000_000) && days.lookUps == 41)
    }
}
