import Models
import OnCall
import Testing

@testable import Administration

/// What `nkul admin schedule check` draws.
@Suite struct SchedulePictureTests {
    @Test func `a picture has a line a day in the schedule's zone, a letter half an hour and a dot for nobody`() throws
    {
        let zone = try #require(CivilZone(name: "Africa/Douala")), hour: UnixMilliseconds = 3_600_000
        // Sunday 2026-03-01, 12:00 in Douala.
        let noon: UnixMilliseconds = 1_772_362_800_000
        let picture = SchedulePicture(
            turns: [
                .init(period: noon..<noon + 8 * hour, contact: "ann"),
                .init(period: noon + 8 * hour..<noon + 18 * hour, contact: nil),
                .init(period: noon + 18 * hour..<noon + 24 * hour, contact: "alan"),
            ], zone: zone)
        #expect(
            picture.text == """
                ann is on call until 2026-03-01 20:00 (Africa/Douala)

                               00      04      08      12      16      20
                Sun 2026-03-01                         nnnnnnnnnnnnnnnn........
                Mon 2026-03-02 ............aaaaaaaaaaaa                        

                a alan   n ann
                nobody from 2026-03-01 20:00 to 2026-03-02 06:00
                """)
    }
}
