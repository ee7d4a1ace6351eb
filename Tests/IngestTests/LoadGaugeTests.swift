import Lanes
import Models
import Testing

@testable import IngestSupport

@Suite struct LoadGaugeTests {
    private func journal(_ bytes: Int, isFull: Bool = false) -> JournalFigures {
        JournalFigures(
            lane: .batch, head: 1, oldest: 1, bytes: bytes, limitBytes: 1_000_000, isFull: isFull, readers: [])
    }

    /// A directory that is not there has no disk that could be full.
    private let gauge = LoadGauge(queueRows: 1_000, directory: "/nowhere/at/all")

    @Test func `the load is that of the fullest`() {
        gauge.took(rows: 300)
        gauge.took(rows: 200)
        gauge.look([journal(100_000), journal(250_000)])
        #expect(gauge.load == 300)
        gauge.look([journal(700_000)])
        #expect(gauge.load == 700, "it rises at once")
        gauge.look([journal(10, isFull: true)])
        #expect(gauge.load == 1_000)
        gauge.took(rows: 5_000)
        gauge.look([])
        #expect(gauge.load == 1_000, "full is full")
    }

    @Test func `it falls by an eighth a second`() {
        gauge.diskIsFull()
        var loads: [Int] = []
        for _ in 0..<3 {
            gauge.look([journal(0)])
            loads.append(gauge.load)
        }
        #expect(loads == [875, 765, 669])
        for _ in 0..<60 { gauge.look([journal(100_000)]) }
        #expect(gauge.load == 100)
    }
}
