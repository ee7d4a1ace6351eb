import Models
import Testing

@Suite("Bin tables")
struct BinTableTests {
    @Test
    func `bins are exact below 128, and the middle of a bin is at most 1/128 away from any value in it`() {
        var random = SystemRandomNumberGenerator()
        for value in Int64(0)..<128 { #expect(BinTable.logarithmic.values(in: Int32(value)) == value...value) }
        for _ in 0..<20_000 {
            let value = Int64.random(in: 128...10_000_000, using: &random)
            let bin = BinTable.logarithmic.bin(value)
            #expect(BinTable.logarithmic.values(in: bin).contains(value))
            #expect(abs(BinTable.logarithmic.value(of: bin) - value) * 128 <= value)
        }
    }

    @Test(arguments: [BinTable.logarithmic, .linear(divisor: 10)])
    func `neighbouring bins meet without gap or overlap`(table: BinTable) {
        let first: Int32 = table == .logarithmic ? 0 : -200
        for bin in first..<1_200 {
            #expect(table.values(in: bin).upperBound + 1 == table.values(in: bin + 1).lowerBound)
        }
    }

    @Test
    func `negative figures round down, so that every bin is as wide as the next`() {
        let table = BinTable.linear(divisor: 10)
        #expect(table.bin(-840) == -84)
        #expect(table.bin(-841) == -85)
        #expect(table.bin(-1) == -1)
        #expect(table.bin(9) == 0)
    }
}
