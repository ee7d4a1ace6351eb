import Models
import Testing

@testable import AggregatorCells

@Suite struct KeyOrderTests {
    private func key(
        bucket: Int64 = 7, programme: UInt8 = 1, scope: UInt32 = 624_001, stratum: UInt8 = 3,
        _ population: CellKey.Population = .unshared, level: Int, code: UInt64
    ) -> PlaceKey {
        PlaceKey(
            bucket: bucket, programme: programme, scope: scope, stratum: stratum, population: population,
            level: Int64(level), code: Int64(code))
    }

    @Test(arguments: 6...20, 0..<5) func `a cell comes right after the cells inside it`(finest: Int, seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let code = UInt64.random(in: 0..<(1 << UInt64(2 * finest)) - 1, using: &dice)
        let place = key(level: finest, code: code)
        #expect(place.level == finest && place.code == code)
        for level in 6..<finest {
            let parent = key(level: level, code: code >> UInt64(2 * (finest - level)))
            #expect(place < parent)
            #expect(parent.level == level)
            #expect(parent.code == code >> UInt64(2 * (finest - level)))
            #expect(parent < key(level: level, code: parent.code + 1))
        }
        #expect(place < key(level: 0, code: 0))
        #expect(key(level: 0, code: 0) < key(.shared, level: 6, code: 0))
        #expect(place < key(bucket: 8, programme: 0, scope: 0, stratum: 0, level: 16, code: 0))
    }

    @Test(arguments: 0..<50) func `the parts of a place key come back in their order`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        func parts() -> [UInt64] {
            [
                dice.pick([0, 7, 1 << 28 - 1]), dice.pick([0, 1, 255]), dice.pick([0, 15, 16, .max >> 32]),
                dice.pick([0, 3, 255]), dice.pick([0, 1]),
            ]
        }
        func key(_ parts: [UInt64]) -> PlaceKey {
            self.key(
                bucket: Int64(parts[0]), programme: UInt8(parts[1]), scope: UInt32(parts[2]), stratum: UInt8(parts[3]),
                parts[4] == 1 ? .shared : .unshared, level: 20, code: 1 << 40 - 1)
        }
        let first = parts(), second = parts(), one = key(first)
        let read = [
            UInt64(one.bucket), UInt64(one.programme), UInt64(one.scope), UInt64(one.stratum),
            UInt64(one.population.rawValue),
        ]
        #expect(read == first && one.level == 20 && one.code == 1 << 40 - 1 && one.hasCell)
        #expect((one < key(second)) == first.lexicographicallyPrecedes(second))
        #expect(one.with(bucket: 5).bucket == 5 && one.with(bucket: 5).with(bucket: one.bucket) == one)
        #expect((one.group == key(second).group) == (first == second) && one.group.place == 0)
    }

    private func randomCell(_ dice: inout SplitMix64) -> CellKey {
        let level = dice.pick([0, 6, 10, 15, 16, 17, 18, 19, 20])
        return CellKey(
            programme: dice.pick([1, 2, 255]), bucket: dice.pick(CellKey.Bucket.allCases),
            bucketStart: 300 * Int64.random(in: 0...13_000_000, using: &dice),
            quadkey: level == 0
                ? nil : Quadkey(level: level, code: .random(in: 0..<(1 << UInt64(2 * level)), using: &dice)),
            scope: dice.pick([0, 624_001, 999_999, .max]), stratum: dice.pick([0, 4, 255]),
            population: dice.pick(CellKey.Population.allCases))
    }

    @Test(arguments: 0..<100) func `store keys come back and sort like the pyramid`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        func bytes(_ cell: CellKey) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: CellStoreKey.length)
            bytes.withUnsafeMutableBytes { CellStoreKey.write(cell, to: $0) }
            return bytes
        }
        func key(_ cell: CellKey) -> PlaceKey {
            self.key(
                bucket: cell.bucketStart / 300, programme: cell.programme, scope: cell.scope, stratum: cell.stratum,
                cell.population, level: cell.quadkey?.level ?? 0, code: cell.quadkey?.code ?? 0)
        }
        let first = randomCell(&dice), other = randomCell(&dice)
        #expect(try bytes(first).withUnsafeBytes { try CellStoreKey.read($0) } == first)
        let second =
            dice.chance(percent: 50)
            ? other.at(first.bucket, other.bucketStart, other.quadkey)
            : first.at(first.bucket, first.bucketStart, other.quadkey)
        #expect(bytes(first).lexicographicallyPrecedes(bytes(second)) == (key(first) < key(second)))
        #expect(bytes(first).starts(with: CellStoreKey.bound(first.bucket, first.bucketStart)))
    }

    /// A cell of a size of buckets is in the pyramid what it is in the store.
    @Test(arguments: 0..<50) func `a cell is made of its place key`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let cell = randomCell(&dice)
        let start = cell.bucketStart / Int64(cell.bucketSeconds) * Int64(cell.bucketSeconds)
        let expected = cell.at(cell.bucket, start, cell.quadkey)
        let base = key(
            bucket: cell.bucketStart / 300, programme: cell.programme, scope: cell.scope, stratum: cell.stratum,
            cell.population, level: cell.quadkey?.level ?? 0, code: cell.quadkey?.code ?? 0)
        let size: BucketSize = [.fiveMinutes, .hour, .day(start)][Int(cell.bucket.rawValue)]
        #expect(size.cell(size.coarse(base), cell.quadkey) == expected)
    }
}
