import Foundation
import Testing

@testable import Command

struct InstantTextTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2024-02-29T23:59:59.5Z", 1_709_251_199_500),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("2017-01-01T00:59:60.5+01:00", 1_483_228_800_500),
            ("2026-03-01T10:00:00.250+01:00", 1_772_355_600_250), ("2026-03-01 09:00:00z", 1_772_355_600_000),
        ] as [(String, Int64)])
    func `RFC 3339 is read`(text: String, milliseconds: Int64) {
        #expect(InstantText.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "2026-11-27T10:17:60Z", "2016-12-31T23:59:60+01:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:00:00", "now", "",
    ])
    func `what is no time is none`(text: String) { #expect(InstantText.milliseconds(text) == nil) }

    @Test func `local times are read in their zone`() throws {
        let dublin = try #require(TimeZone(identifier: "Europe/Dublin"))
        #expect(
            LocalTime.milliseconds("2020.02.13_13.03.24", in: dublin)
                == InstantText.milliseconds("2020-02-13T13:03:24Z"))
        #expect(
            LocalTime.milliseconds("2020.07.13_13.03.24", in: dublin)
                == InstantText.milliseconds("2020-07-13T12:03:24Z"))
        #expect(
            LocalTime.milliseconds("16/03/2025 23:50", in: .gmt) == InstantText.milliseconds("2025-03-16T23:50:00Z"))
        #expect(LocalTime.milliseconds("16-03-2025", in: .gmt) == nil)
    }
}
