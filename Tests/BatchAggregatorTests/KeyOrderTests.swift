import Models
import Testing

@testable import BatchAggregator

@Suite struct KeyOrderTests {
    @Test(arguments: 0..<20) func aCellComesRightAfterTheCellsInsideIt(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let code = UInt64.random(in: 0..<(1 << 32), using: &dice)
        let place = PlaceKey(bucket: 7, plmn: 624_001, technology: 3, level: 16, code: Int64(code))
        for level in 6..<16 {
            let parent = PlaceKey(
                bucket: 7, plmn: 624_001, technology: 3, level: Int64(level),
                code: Int64(code >> UInt64(32 - 2 * level)))
            #expect(place < parent)
            #expect(parent.level == level)
            #expect(parent.code == code >> UInt64(32 - 2 * level))
            let sibling = PlaceKey(
                bucket: 7, plmn: 624_001, technology: 3, level: Int64(level), code: Int64(parent.code) + 1)
            #expect(parent < sibling)
        }
        #expect(place < PlaceKey(bucket: 7, plmn: 624_001, technology: 3, level: 0, code: 0))
        #expect(place < PlaceKey(bucket: 8, plmn: 0, technology: 0, level: 16, code: 0))
    }

    @Test(arguments: 0..<50) func storeKeysComeBackAndSortLikeThePyramid(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        func cell() -> CellKey {
            let level = dice.pick([0, 6, 10, 15, 16])
            return CellKey(
                bucketSeconds: dice.pick([300, 3_600, 86_400]),
                bucketStart: Int64.random(in: 0...4_000_000_000, using: &dice),
                quadkey: level == 0
                    ? nil : Quadkey(level: level, code: .random(in: 0..<(1 << UInt64(2 * level)), using: &dice)),
                plmn: PLMN(rawValue: dice.pick([0, 624_001, 999_999])), technology: dice.pick(Technology.allCases))
        }
        func bytes(_ cell: CellKey) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: CellStoreKey.length)
            bytes.withUnsafeMutableBytes { CellStoreKey.write(cell, to: $0) }
            return bytes
        }
        let first = cell()
        #expect(try bytes(first).withUnsafeBytes { try CellStoreKey.read($0) } == first)
        let second = CellKey(
            bucketSeconds: first.bucketSeconds, bucketStart: first.bucketStart, quadkey: cell().quadkey,
            plmn: first.plmn,
            technology: first.technology)
        func key(_ cell: CellKey) -> PlaceKey {
            PlaceKey(
                bucket: 0, plmn: cell.plmn.rawValue, technology: cell.technology.rawValue,
                level: Int64(cell.quadkey?.level ?? 0), code: Int64(cell.quadkey?.code ?? 0))
        }
        #expect(bytes(first).lexicographicallyPrecedes(bytes(second)) == (key(first) < key(second)))
    }
}
