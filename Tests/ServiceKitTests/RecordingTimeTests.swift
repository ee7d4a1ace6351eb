import Testing

@testable import ServiceKit

struct RecordingTimeTests {
    /// 1 000 of the recording at 100 000 of the system, ten times as fast.
    private let time = RecordingTime(recordingAt: 1_000, systemAt: 100_000, speed: 10)

    @Test func `it runs at its pace from where it met the system`() {
        #expect(time.reading(at: 100_000) == 1_000)
        #expect(time.reading(at: 100_007) == 1_070)
        #expect(time.reading(at: 99_000) == 1_000)
    }

    @Test func `it never passes the system's clock and stays with it`() {
        #expect(time.reading(at: 110_999) == 110_990)
        #expect(time.reading(at: 111_000) == 111_000)
        #expect(time.reading(at: 999_000_000_000) == 999_000_000_000)
        #expect(time.pace(at: 110_999) == 10 && time.pace(at: 111_000) == 1)
    }

    @Test func `it stands at speed 0`() {
        let held = RecordingTime(recordingAt: 1_000, systemAt: 100_000, speed: 0)
        #expect(held.reading(at: 500_000) == 1_000 && held.pace(at: 500_000) == 0)
        #expect(held.pause(until: 1_001, at: 500_000) == nil && held.pause(until: 1_000, at: 500_000) == .zero)
    }

    @Test func `the pause until a time is over when that time is shown`() throws {
        for speed in [0.25, 1, 3, 10, 720] {
            let time = RecordingTime(recordingAt: 1_000, systemAt: 100_000, speed: speed)
            for (wanted, system) in [(1_001, 100_000), (5_000, 100_020), (104_000, 103_000), (2_000_000, 100_500)] {
                let pause = try #require(time.pause(until: Int64(wanted), at: Int64(system)))
                let milliseconds = Int64((pause / .milliseconds(1)).rounded())
                #expect(time.reading(at: Int64(system) + milliseconds) >= wanted, "\(speed) \(wanted)")
                if milliseconds > 1 {
                    #expect(time.reading(at: Int64(system) + milliseconds - 2) < wanted, "\(speed) \(wanted)")
                }
            }
        }
        #expect(time.pause(until: 900, at: 100_000) == .zero)
    }

    @Test func `the system's own time is the system's`() {
        for now: Int64 in [5, 6, 7_000] { #expect(RecordingTime.system(at: 5).reading(at: now) == now) }
    }
}
