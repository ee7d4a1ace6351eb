import Foundation
import Models
import Testing

@Suite("Civil days")
struct CivilDayTests {
    private func day(_ text: String, _ zone: String) throws -> Int64 {
        let time = try Date(text, strategy: .iso8601).timeIntervalSince1970
        return CivilDay.number(of: Int64(time) * 1_000, in: try #require(TimeZone(identifier: zone)))
    }

    @Test
    func `a day begins at local midnight, before 1970 too`() throws {
        #expect(try day("1970-01-01T00:00:00Z", "GMT") == 0)
        #expect(try day("1969-12-31T23:59:59Z", "GMT") == -1)
        #expect(try day("1970-01-01T22:59:59Z", "Africa/Douala") == 0)
        #expect(try day("1970-01-01T23:00:00Z", "Africa/Douala") == 1)
        #expect(try day("1970-01-01T03:00:00Z", "America/New_York") == -1)
    }

    @Test
    func `days of 23 and of 25 hours are one day each`() throws {
        let zone = "Europe/Paris"
        #expect(try day("2025-03-29T23:00:00Z", zone) == day("2025-03-30T21:59:59Z", zone))
        #expect(try day("2025-03-30T22:00:00Z", zone) == day("2025-03-29T23:00:00Z", zone) + 1)
        #expect(try day("2025-10-25T22:00:00Z", zone) == day("2025-10-26T22:59:59Z", zone))
        #expect(try day("2025-10-26T23:00:00Z", zone) == day("2025-10-25T22:00:00Z", zone) + 1)
    }
}
