import Models
import QoE
import Testing

@testable import AggregatorCells

@Suite struct CellSourceTests {
    private func place(_ text: String) -> UInt64 { PlaceKey.place(Quadkey(text: text)) }

    @Test(arguments: [
        ("0123012301230123", "0123012301230123", "0123012301230123"),
        ("0123012301230123", "0123012301230120", "012301230123012"),
        ("0123012301230123", "0123012301230120", "012301230123012"),
        ("0123012301230123", "012301230123", "012301230123"), ("0123012301230123", "012301230122", "01230123012"),
        ("01230123", "0123012301230123", "01230123"), ("0123012301230123", "0123013301230123", "012301"),
        ("3333333333333333", "3333332222222222", "333333"), ("0123012301230123", "0123012311230123", "01230123"),
        ("01230123012301230123", "01230123012301230122", "0123012301230123012"),
        ("01230123012301230123", "012301230123012301", "012301230123012301"),
        ("33333333333333333333", "33333333333333333333", "33333333333333333333"),
        ("01230123012301230123", "0123012301230120", "012301230123012"),
    ]) func `the smallest cell around two has their common digits`(_ one: String, _ other: String, _ around: String) {
        #expect(PlaceKey.smallest(around: place(one), place(other)) == place(around))
        #expect(PlaceKey.smallest(around: place(other), place(one)) == place(around))
        #expect(PlaceKey.quadkey(place(around)) == Quadkey(text: around))
    }

    @Test func `without a cell there is no place`() {
        #expect(PlaceKey.smallest(around: PlaceKey.noPlace, PlaceKey.noPlace) == PlaceKey.noPlace)
        #expect(PlaceKey.quadkey(PlaceKey.place(nil)) == nil)
    }

    @Test(arguments: 0..<40) func `the order of joining is no matter`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let sources = (0..<8).map { _ in
            CellSource(
                bucket: 5_950_000 + .random(in: 0..<30, using: &dice),
                place: PlaceKey.place(level: 16, code: 0x1b1b_0000 + .random(in: 0..<5_000, using: &dice)))
        }
        func joined(_ sources: some Sequence<CellSource>) -> CellSource {
            sources.reduce(into: CellSource()) { $0.join($1) }
        }
        let all = joined(sources)
        let shuffled = sources.shuffled(using: &dice)
        var halves = joined(shuffled.prefix(4))
        halves.join(joined(shuffled.dropFirst(4)))
        #expect(halves == all)
        halves.join(all)
        halves.join(CellSource())
        #expect(halves == all)
    }

    /// Midnight in Douala; the first hour of UTC of that day, the hour 22 hours later, and the day.
    @Test func `the bucket is that of all rows`() {
        let midnight: Int64 = 1_784_934_000
        let day = CellKey(
            bucketSeconds: 86_400, bucketStart: midnight, quadkey: nil, plmn: PLMN(rawValue: 624_001), technology: .g4,
            population: .shared)
        func bucket(_ minutes: Int64..., of cell: CellKey = day) -> [Int64] {
            var source = CellSource()
            for minute in minutes {
                source.join(CellSource(bucket: (midnight + 60 * minute) / 300, place: PlaceKey.noPlace))
            }
            let smallest = source.smallest(in: cell)
            #expect(smallest == cell || smallest.isInside(cell))
            return [Int64(smallest.bucketSeconds), smallest.bucketStart - midnight]
        }
        #expect(bucket(3) == [300, 0])
        #expect(bucket(57) == [300, 3_300])
        #expect(bucket(3, 57) == [3_600, 0])
        #expect(bucket(57, 60) == [86_400, 0])
        #expect(bucket(1_260, 1_300) == [3_600, 75_600])
        // A local day may have 22 hours only; nobody says here whether this hour ends with it.
        #expect(bucket(1_320, 1_330) == [86_400, 0])
        let india = CellKey(
            bucketSeconds: 86_400, bucketStart: midnight + 1_800, quadkey: nil, plmn: day.plmn, technology: .g4,
            population: .shared)
        #expect(bucket(31, 50, of: india) == [86_400, 1_800])
        #expect(bucket(61, 70, of: india) == [3_600, 3_600])
    }
}
