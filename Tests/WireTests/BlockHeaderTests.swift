import Models
import Testing
import Wire

@Suite struct BlockHeaderTests {
    private func header(_ dice: inout SplitMix64) -> BlockHeader {
        let rows = Int.random(in: 0...65_536, using: &dice)
        let subjects = (0..<Int.random(in: 0...50, using: &dice)).map { _ in
            UInt64.random(in: 0...(.max >> UInt64.random(in: 0...63, using: &dice)), using: &dice)
        }
        return BlockHeader(
            generation: .random(in: 1 ... .max, using: &dice), number: .random(in: 1 ... .max, using: &dice),
            previous: .random(in: 0 ... .max, using: &dice), kind: .random(in: 0...255, using: &dice),
            kindVersion: .random(in: 0...255, using: &dice), rowCount: rows,
            keptRows: Int.random(in: 0...rows, using: &dice),
            keyID: .random(in: 0 ... .max, using: &dice), committedAt: .random(in: .min ... .max, using: &dice),
            subjects: Set(subjects).sorted(), rawLength: Int(UInt32.random(in: 0 ... .max, using: &dice)),
            crc32: .random(in: 0 ... .max, using: &dice))
    }

    @Test(arguments: 0..<100) func `every header comes back as it was`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let header = header(&dice)
        #expect(try BlockHeader(decoding: header.encoded()) == header)
    }

    @Test(arguments: 0..<10) func `a flipped bit or a missing byte is an error`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let bytes = header(&dice).encoded()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << UInt8(index & 7)
            #expect(throws: WireError.self) { try BlockHeader(decoding: damaged) }
            #expect(throws: WireError.self) { try BlockHeader(decoding: Array(bytes[..<index])) }
        }
        #expect(throws: WireError.self) { try BlockHeader(decoding: bytes + [0]) }
    }

    @Test func `a block gives its table`() throws {
        let table = Columns(rowCount: 2, columns: [Column(id: 3, values: [5, 6])])
        var encoder = ColumnEncoder(), decoder = ColumnDecoder()
        let encoded = try encoder.encode(table)
        let header = BlockHeader(
            generation: 1, number: 1, previous: 0, kind: 1, kindVersion: 1, rowCount: 2, keptRows: 2, keyID: 0,
            committedAt: 0, subjects: [5, 6], rawLength: encoded.rawLength, crc32: encoded.crc32)
        #expect(try Block(header: header, payload: encoded.payload).columns(with: &decoder) == table)
    }
}
