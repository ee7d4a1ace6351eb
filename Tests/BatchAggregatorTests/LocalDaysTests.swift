import Foundation
import Testing

@testable import BatchAggregator

@Suite struct LocalDaysTests {
    @Test(arguments: ["Africa/Douala", "Europe/Paris", "Asia/Kolkata", "Pacific/Apia", "UTC"])
    func everyTimeIsInTheDayOfItsName(zone: String) {
        var days = LocalDays(TimeZone(identifier: zone)!), fresh = days
        for second in stride(from: Int64(1_784_000_000), to: 1_800_000_000, by: 13_777) {
            let day = days.day(of: second)
            #expect(day <= second && second - day < 26 * 3_600)
            #expect(fresh.day(named: days.name(of: day)) == day)
            #expect(days.day(of: day) == day)
            #expect(days.day(of: day - 1) < day)
        }
    }

    @Test func namesThatAreNoDaysAreNone() {
        var days = LocalDays(TimeZone(identifier: "UTC")!)
        for name in ["", "2026-02-30", "2026-1-1", "state", "2026-01-01-", "....-..-.."] {
            #expect(days.day(named: name) == nil)
        }
    }
}
