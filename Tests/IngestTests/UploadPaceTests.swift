import Models
import Testing

@testable import IngestSupport

/// What becomes of phones that all come at the full hour.
@Suite struct UploadPaceTests {
    private let hour: Int64 = 1_760_000_400_000
    private let pace = UploadPace(period: .seconds(900), longest: .seconds(3_600))

    /// Arrivals a minute of a million phones that all upload at the full hour, and from then on when they are asked to.
    private func arrivals(minutes: Int, load: Int = 0) -> [Int] {
        var arrivals = [Int](repeating: 0, count: minutes)
        for device in 1...1_000_000 as ClosedRange<UInt64> {
            var time: Int64 = 0
            while time < minutes * 60_000 {
                arrivals[Int(time / 60_000)] += 1
                time += Int64(pace.seconds(of: device, load: load, now: hour + time)) * 1_000
            }
        }
        return arrivals
    }

    @Test func `a million phones that come at the full hour come evenly from then on`() {
        let arrivals = arrivals(minutes: 60)
        print("arrivals a minute:", arrivals.map(String.init).joined(separator: " "))
        #expect(arrivals[0] == 1_000_000)
        #expect(arrivals[1..<7].allSatisfy { $0 == 0 }, "nobody is asked before half a period")
        let even = 1_000_000 / 15
        #expect(arrivals[8..<60].allSatisfy { abs($0 - even) < even / 20 })
    }

    @Test func `a phone keeps its moment of the period`() {
        for device in 1...1_000 as ClosedRange<UInt64> {
            let first = Int64(pace.seconds(of: device, load: 0, now: hour))
            #expect((450...1_350).contains(first))
            let then = hour + first * 1_000
            #expect(pace.seconds(of: device, load: 0, now: then) == 900)
            // Two minutes late, it is asked to come two minutes sooner.
            #expect(pace.seconds(of: device, load: 0, now: then + 120_000) == 780)
        }
    }

    @Test func `the period grows with the load`() {
        func mean(_ load: Int) -> Int {
            (1...10_000 as ClosedRange<UInt64>).reduce(0) { $0 + pace.seconds(of: $1, load: load, now: hour) } / 10_000
        }
        #expect((890...910).contains(mean(0)) && mean(500) == mean(0))
        #expect((2_200...2_300).contains(mean(750)))
        #expect((3_560...3_640).contains(mean(1_000)) && mean(5_000) == mean(1_000))
        let still = UploadPace(period: .seconds(60), longest: .seconds(1))
        #expect(
            still.seconds(of: 1, load: 1_000, now: hour) >= 30, "a longest period below the usual one is the usual one")
    }
}
