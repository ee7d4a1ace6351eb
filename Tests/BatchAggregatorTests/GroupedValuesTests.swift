import Models
import Testing

@testable import AggregatorCells

@Suite struct GroupedValuesTests {
    /// Groups of every size around those from which another way of sorting is taken, loaded one set after another.
    @Test(arguments: [UInt64(1), 2, 3]) func `groups are what came sorted`(seed: UInt64) {
        var random = SplitMix64(seed: seed), codes = GroupedValues<UInt16>(), devices = GroupedValues<UInt32>()
        let most = [1: 3, 2: 130, 3: 700][seed]!
        for _ in 0..<40 {
            let sizes = (0..<Int.random(in: 0...30, using: &random)).map { _ in Int.random(in: 0...most, using: &random)
            }
            check(&codes, sizes, &random)
            check(&devices, sizes, &random)
        }
    }

    private func check<Value: FixedWidthInteger & UnsignedInteger>(
        _ grouped: inout GroupedValues<Value>, _ sizes: [Int], _ random: inout SplitMix64
    ) {
        let largest = random.chance(percent: 30) ? 5 : Value.max
        let rows = sizes.enumerated().flatMap { group, size in
            (0..<size).map { _ in (group: UInt32(group), value: Value.random(in: 0...largest, using: &random)) }
        }.shuffled(using: &random)
        grouped.load(groups: sizes.count) { counts in
            for row in rows { counts[Int(row.group)] += 1 }
        } putting: { places in
            for row in rows { places.put(row.value, group: row.group) }
        }
        #expect(grouped.count == rows.count)
        for group in sizes.indices {
            let expected = rows.filter { $0.group == UInt32(group) }.map(\.value).sorted()
            #expect(grouped.withGroup(group) { Array($0) } == expected)
        }
    }
}
