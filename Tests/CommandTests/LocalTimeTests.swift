import Foundation
import Models
import Testing

@testable import Laboratory

struct LocalTimeTests {
    private func local(_ texts: String..., zone: String) throws -> [Int64?] {
        var clock = LocalTime(zone: try #require(TimeZone(identifier: zone))), ledger = ImportLedger()
        return texts.map { clock.milliseconds($0, &ledger) }
    }

    private func utc(_ texts: String...) -> [Int64?] { texts.map { Timestamp.milliseconds($0) } }

    @Test func `local times are read in their zone`() throws {
        #expect(
            try local("2020.02.13_13.03.24", "2020.07.13_13.03.24", zone: "Europe/Dublin")
                == utc("2020-02-13T13:03:24Z", "2020-07-13T12:03:24Z"))
        #expect(try local("16/03/2025 23:50", "16-03-2025", zone: "GMT") == utc("2025-03-16T23:50:00Z", "no time"))
    }

    @Test func `a time with an offset is not of the zone, however the offset is written`() throws {
        #expect(
            try local(
                "2026-11-27T10:00:00+0100", "2026-11-27 10:00:00+01:00", "2026-11-27T10:00:00.5-01",
                "2026-11-27T10:00:00Z", "2026-11-27 10:00:00.250", zone: "Africa/Douala")
                == utc(
                    "2026-11-27T09:00:00Z", "2026-11-27T09:00:00Z", "2026-11-27T11:00:00.500Z", "2026-11-27T10:00:00Z",
                    "2026-11-27T09:00:00.250Z"))
    }

    @Test func `the hour that a clock repeats keeps the order of its rows`() throws {
        #expect(
            try local(
                "2026.10.25_02.59.58", "2026.10.25_02.59.54", "2026.10.25_02.59.59", "2026.10.25_02.00.00",
                "2026.10.25_02.30.00", "2026.10.25_02.59.59", "2026.10.25_03.00.00", zone: "Europe/Paris")
                == utc(
                    "2026-10-25T00:59:58Z", "2026-10-25T00:59:54Z", "2026-10-25T00:59:59Z", "2026-10-25T01:00:00Z",
                    "2026-10-25T01:30:00Z", "2026-10-25T01:59:59Z", "2026-10-25T02:00:00Z"))
    }

    @Test func `an hour that a clock leaves out is counted on from the hour before it`() throws {
        #expect(
            try local("2026.03.29_01.59.59", "2026.03.29_02.30.00", "2026.03.29_03.00.00", zone: "Europe/Paris")
                == utc("2026-03-29T00:59:59Z", "2026-03-29T01:30:00Z", "2026-03-29T01:00:00Z"))
    }
}
