import Models
import QoE
import Testing

@Suite struct CellHistogramsTests {
    private typealias Entry = CellHistograms.Entry

    private func random(_ generator: inout some RandomNumberGenerator) -> CellHistograms {
        CellHistograms(
            (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                Entry(
                    Metric.allCases.randomElement(using: &generator)!,
                    bin: [Int32.random(in: -160...1_300, using: &generator), -8_388_608, 8_388_607]
                        .randomElement(using: &generator)!,
                    count: [1, 3, 200, 1 << 40].randomElement(using: &generator)!)
            })
    }

    @Test func `every histogram comes back and adds up in both forms`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let first = random(&generator), second = random(&generator)
            #expect(CellHistograms.decode(first.encoded()) == first)
            var sum = first
            sum.merge(second)
            #expect(sum.entries == CellHistograms(first.entries + second.entries).entries)
            var writer = CellHistogramWriter()
            let isSound = first.encoded().withUnsafeBytes { bytes in
                second.entries.withUnsafeBufferPointer { CellHistograms.merge(bytes, adding: $0, into: &writer) }
            }
            #expect(isSound)
            #expect(writer.bytes == sum.encoded())
        }
    }

    @Test func `what was added can be taken away again exactly`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let first = random(&generator), second = random(&generator)
            var sum = first
            sum.merge(second)
            let negative = second.entries.map { Entry(slot: $0.slot, count: -$0.count) }
            var writer = CellHistogramWriter()
            let isSound = sum.encoded().withUnsafeBytes { bytes in
                negative.withUnsafeBufferPointer { CellHistograms.merge(bytes, adding: $0, into: &writer) }
            }
            #expect(isSound)
            #expect(writer.bytes == first.encoded())
        }
    }

    @Test func `taking away more than there is is an error`() {
        let one = CellHistograms([Entry(.rating, bin: 3, count: 1)])
        var writer = CellHistogramWriter()
        let isSound = one.encoded().withUnsafeBytes { bytes in
            [Entry(.rating, bin: 3, count: -2)].withUnsafeBufferPointer {
                CellHistograms.merge(bytes, adding: $0, into: &writer)
            }
        }
        #expect(!isSound)
    }

    @Test func `garbage is no histogram`() {
        for bytes: [UInt8] in [
            [], [2], [1, 0], [1, 5, 1], [1, 0, 99], [1, 0, 1, 2, 0], [1, 0, 1, 2, 1, 0, 0, 2, 1],
            [1, 0x11], [1, 0, 1, 2, 1, 0x01], [1, 0, 1, 2, 1, 0x10], [1, 0, 1, 2, 1, 0x1f],
            [1, 0, 1, 2, 1, 0xf1, 0xff, 0xff, 0xff, 0x7f],
        ] {
            #expect(CellHistograms.decode(bytes) == nil)
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let bytes: [UInt8] = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                [0, 1, 2, 3, 0x11, 0x1f, 0xf1, 0xff].randomElement(using: &generator)!
            }
            if let histograms = CellHistograms.decode([1] + bytes) {
                #expect(CellHistograms.decode(histograms.encoded()) == histograms)
            }
        }
    }

    /// Numbers from 64 on belong to programmes, which this module does not know.
    @Test func `a metric of any number comes back`() throws {
        let entries = [UInt32(0), 10, 64, 65, 255].map { Entry(slot: $0 << 24 | 0x80_0000 + $0, count: 3) }
        let histograms = try #require(CellHistograms.decode(CellHistograms(entries).encoded()))
        #expect(histograms.entries == entries && histograms.metrics == [0, 10, 64, 65, 255])
        #expect(histograms.bins(64).map(\.bin) == [64])
    }

    @Test func `quantiles are values of the nearest rank`() {
        let ratings = CellHistograms((1...5).map { Entry(.rating, bin: $0, count: 20) })
        #expect(ratings.count(.rating) == 100)
        #expect(ratings.quantile(.rating, p: 0) == 1)
        #expect(ratings.quantile(.rating, p: 0.2) == 1)
        #expect(ratings.quantile(.rating, p: 0.21) == 2)
        #expect(ratings.quantile(.rating, p: 0.5) == 3)
        #expect(ratings.quantile(.rating, p: 1) == 5)
        #expect(ratings.quantile(.download, p: 0.5) == nil)
        #expect(ratings.mean(.rating) == 3)
        #expect(ratings.metrics == [Metric.rating.rawValue])
    }

    @Test func `quantiles of speeds are within a bin of the value`() {
        let values: [Int64] = [90, 1_000, 20_000, 300_000, 4_000_000]
        let speeds = CellHistograms(values.map { Entry(.download, bin: Metric.download.bins.bin($0), count: 1) })
        let median = speeds.quantile(.download, p: 0.5)!
        #expect(abs(median - 20_000) <= 20_000 / 128)
    }

    @Test func `a fixture of version 1 is still read`() {
        let bytes: [UInt8] = [
            1, 0, 0, 0x84, 2, 1, 0xf2, 19, 0x31, 0x5f, 0, 0, 5, 0xa9, 1, 3, 0xff, 1, 128, 1, 0, 10, 4, 0x80, 1,
        ]
        #expect(
            CellHistograms.decode(bytes)
                == CellHistograms([
                    Entry(.download, bin: 130, count: 1), Entry(.download, bin: 164, count: 2),
                    Entry(.download, bin: 167, count: 1), Entry(.download, bin: 172, count: 15),
                    Entry(.rsrp, bin: -85, count: 3), Entry(.rsrp, bin: -69, count: 143),
                    Entry(.event, bin: 2, count: 128),
                ]))
    }
}
