import Models
import Testing
import Wire

@Suite struct RowSetTests {
    private func bits(_ count: Int, _ dice: inout SplitMix64) -> [Bool] {
        (0..<count).map { _ in Bool.random(using: &dice) }
    }

    private func set(_ bits: [Bool]) -> RowSet {
        var set = RowSet.empty(0)
        for bit in bits { set.append(bit) }
        return set
    }

    @Test(arguments: 0..<50) func `appending two sets is appending their rows`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let first = bits(Int.random(in: 0...200, using: &dice), &dice)
        let second = bits(Int.random(in: 0...200, using: &dice), &dice)
        var joined = set(first)
        joined.append(set(second))
        #expect(joined == set(first + second))
        #expect(joined.population == (first + second).count { $0 })
        #expect(joined.rows == (first + second).indices.filter { (first + second)[$0] }.map(Int32.init))
    }

    @Test func `full and empty sets know it`() {
        for count in [0, 1, 63, 64, 65, 1_000] {
            #expect(RowSet.full(count).isFull)
            #expect(RowSet.empty(count).isEmpty)
            #expect(RowSet.full(count).population == count)
        }
        var set = RowSet.full(65)
        set[64] = false
        #expect(!set.isFull)
        set[64] = true
        #expect(set == .full(65))
    }

    @Test func `bits past the end are cleared`() {
        #expect(RowSet(count: 3, words: [.max]) == .full(3))
    }
}
