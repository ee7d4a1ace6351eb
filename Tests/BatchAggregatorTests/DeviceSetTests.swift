import Models
import Testing

@testable import AggregatorCells

@Suite struct DeviceSetTests {
    @Test(arguments: 0..<60) func `unions are those of sets`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let limit = dice.pick([UInt32(40), 300, 5_000, .max])
        var expected: Set<UInt32> = []
        var set = DeviceSet()
        for _ in 0..<6 {
            let added = Set((0..<dice.pick([1, 20, 400])).map { _ in UInt32.random(in: 0...limit, using: &dice) })
            expected.formUnion(added)
            let before = set.bytes
            let isSound = before.withUnsafeBytes { set.unite($0, added.sorted()) }
            #expect(isSound)
            #expect(set.count == expected.count)
            #expect(set.bytes.withUnsafeBytes { DeviceSet.ordinals($0) } == expected.sorted())
        }
    }

    @Test(arguments: 0..<60) func `what is taken is gone`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let limit = dice.pick([UInt32(40), 300, 5_000, .max])
        var expected = Set((0..<dice.pick([1, 20, 400])).map { _ in UInt32.random(in: 0...limit, using: &dice) })
        var bytes = DeviceSet.encoded(expected.sorted())
        while !expected.isEmpty {
            let some = expected.prefix(dice.pick([1, 9, 200])),
                others = (0..<5).map { _ in UInt32.random(in: 0...limit) }
            let taken = Set(some).union(others).sorted()
            let held = bytes.withUnsafeBytes { DeviceSet.holds(any: taken, $0) }
            #expect(held == true)
            var set = DeviceSet()
            let isSound = bytes.withUnsafeBytes { set.subtract($0, taken) }
            #expect(isSound)
            expected.subtract(taken)
            bytes = set.bytes
            #expect(bytes == DeviceSet.encoded(expected.sorted()) && set.count == expected.count)
            #expect(bytes.withUnsafeBytes { DeviceSet.holds(any: taken, $0) } == false)
            let one = (expected.first ?? 0)...(expected.first ?? 0)
            #expect(bytes.withUnsafeBytes { DeviceSet.holds(any: Array(one), $0) } == !expected.isEmpty)
        }
    }

    @Test func `dense sets take a bit a device`() {
        var set = DeviceSet()
        _ = set.unite(UnsafeRawBufferPointer(start: nil, count: 0), Array(1_000..<51_000))
        #expect(set.bytes.count < 6_300)
        #expect(set.count == 50_000)
    }

    @Test(arguments: 0..<200) func `garbage is no set`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let bytes = (0..<Int.random(in: 1...40, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
        var set = DeviceSet()
        _ = bytes.withUnsafeBytes { set.unite($0, [1, 2, 3]) }
        #expect([UInt8(2), 0, 1].withUnsafeBytes { DeviceSet.ordinals($0) } == nil)
    }
}
