import Models
import Testing

@testable import Wire

/// UUIDs travel without the bits that their version fixes, and come back as they were.
@Suite struct PackedIdentifiersTests {
    @Test(arguments: 0..<40) func `whatever stands in a column comes back`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed), encoder = ColumnEncoder(), decoder = ColumnDecoder()
        for _ in 0..<8 {
            let rowCount = Int.random(in: 1...200, using: &dice)
            let forms = Self.forms.randomElement(using: &dice)!
            let permille = [1, 500, 1_000].randomElement(using: &dice)!
            var presence = RowSet.empty(rowCount), bytes: [UInt8] = []
            for row in 0..<rowCount {
                presence[row] = Int.random(in: 0..<1_000, using: &dice) < permille
                bytes += presence[row] ? Self.value(forms.randomElement(using: &dice)!, &dice) : Self.zeros
            }
            let table = Columns(rowCount: rowCount, columns: [Column(id: 1, presence: presence, fixed16: bytes)])
            #expect(try decoder.decode(encoder.encode(table)) == table.withoutEmptyColumns)
        }
    }

    /// 122 bits of 128; the directory takes 10 bytes, the form of all with deflate around it a few.
    @Test func `a random UUID takes its random bits`() throws {
        let encoded = try payload(1_000) { _, dice in Self.value(4, &dice) }
        #expect(encoded.payload.count - 15_250 < 20)
    }

    /// 74 bits of 128, and of the times what they say beside those of the column of times: hardly anything.
    @Test func `a UUID with a time takes its random bits`() throws {
        var dice = SplitMix64(seed: 3), time: Int64 = 1_785_000_000_000
        var times: [Int64?] = [], bytes: [UInt8] = []
        for _ in 0..<1_000 {
            time += Int64.random(in: 0..<2_000, using: &dice)
            times.append(time)
            bytes += Self.value(7, &dice, time: UInt64(time))
        }
        var encoder = ColumnEncoder()
        let moments = Column(id: 4, encoding: .delta, values: times)
        let alone = try encoder.encode(Columns(rowCount: 1_000, columns: [moments])).payload.count
        let both = try encoder.encode(
            Columns(rowCount: 1_000, columns: [Column(id: 1, presence: .full(1_000), fixed16: bytes), moments]))
        #expect(both.payload.count - alone - 9_250 < 100)
    }

    /// Bytes that the version wrote which first packed them: every later build reads them. A v4, a v7 and another, then the bits
    /// 2 and 2; deflated: the forms, and the time of the v7.
    @Test func `a payload of the first version is still read and written`() throws {
        let beside =
            "010301" + "0105290a" + "001122334455774899aabbccddeeff" + "b1b2c2d3e4f5061728"
            + "000102030405060708090a0b0c0d0e0f" + "0a"
        let payload = Self.bytes(beside + "010a00f5ff" + "00040700" + "90a1dba4f367")
        let table = Columns(
            rowCount: 3,
            columns: [
                Column(
                    id: 1, presence: .full(3),
                    fixed16: Self.bytes("00112233445549778899aabbccddeeff")
                        + Self.bytes("019f9a4b68487ab1b2c2d3e4f5061728") + Array(0...15))
            ])
        var encoder = ColumnEncoder(), decoder = ColumnDecoder()
        let encoded = try encoder.encode(table)
        // What deflate makes of it may differ between its versions.
        #expect(encoded.payload.prefix(beside.count / 2) == payload.prefix(beside.count / 2))
        #expect(encoded.rawLength == 10)
        #expect(try decoder.decode(payload, rowCount: 3, rawLength: 10, crc32: CRC32.checksum(payload)) == table)
    }

    @Test func `damage is seen`() {
        let presence = RowSet.full(3)
        let v4 = [UInt8](repeating: 0xAB, count: 45)
        #expect(Self.read(v4 + [0x3F], [4], presence) != nil)
        #expect(Self.read(v4 + [0x40], [4], presence) == nil, "bits that nothing stands in")
        #expect(Self.read(v4, [4], presence) == nil, "too few bytes")
        #expect(Self.read(v4 + [0, 0], [4], presence) == nil, "too many")
        #expect(Self.read(v4 + [0], [4, 0], presence) == nil, "something behind the end")
        #expect(Self.read(v4 + [0], [5], presence) == nil, "a form that is not known")
        #expect(Self.read(v4 + [0], [], presence) == nil)
        #expect(Self.read(v4 + [0], [0, 4, 4, 4], presence) == nil, "written with forms where all are alike")
        #expect(Self.read(v4 + [0], [0, 4, 4], presence) == nil, "too few forms")
        #expect(Self.read(Array(v4.prefix(46 - 1)) + [0, 0], [0, 4, 4, 0], presence) != nil)
        #expect(Self.read(v4 + [0], [0, 4, 4, 9], presence) == nil)
        #expect(Self.read([UInt8](repeating: 0, count: 48), [0, 0, 0, 0], presence) == nil, "none of them a UUID")
        let v7 = [UInt8](repeating: 0xCD, count: 28).dropLast() + [0]
        #expect(Self.read(Array(v7), [7] + Self.varints([1, 2, -3]), presence) != nil)
        #expect(Self.read(Array(v7), [7] + Self.varints([1, 2, -4]), presence) == nil, "a time before 1970")
        #expect(Self.read(Array(v7), [7] + Self.varints([1, 2, 1 << 48]), presence) == nil, "a time of 49 bits")
        #expect(Self.read(Array(v7), [7] + Self.varints([1, 2]), presence) == nil)
    }

    /// Of values of which hardly any are UUIDs by chance the forms would take more than they save.
    @Test func `what is no UUID travels as it is`() throws {
        let encoded = try payload(1_000) { row, dice in Self.value(row % 3 == 0 ? 4 : 0, &dice) }
        #expect(encoded.rawLength == 0)
        #expect(encoded.payload.count == 16_000 + 8)
    }

    private static let zeros = [UInt8](repeating: 0, count: 16)
    private static let forms: [[Int]] = [[4], [7], [0], [4, 7], [4, 0], [7, 0], [4, 7, 0]]

    /// 16 bytes of a UUID of a version, of any other kind for 0.
    private static func value(_ version: Int, _ dice: inout SplitMix64, time: UInt64? = nil) -> [UInt8] {
        var high = dice.next(), low = dice.next()
        if let time { high = time << 16 | high & 0xFFFF }
        if version > 0 {
            high = high & 0xFFFF_FFFF_FFFF_0FFF | UInt64(version) << 12
            low = low & 0x3FFF_FFFF_FFFF_FFFF | 0b10 << 62
        } else if Bool.random(using: &dice) {
            low |= 0b11 << 62
        } else {
            high &= 0xFFFF_FFFF_FFFF_0FFF
        }
        return [high, low].flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(word >> $0 & 0xFF) } }
    }

    private func payload(_ rows: Int, _ value: (Int, inout SplitMix64) -> [UInt8]) throws -> EncodedColumns {
        var dice = SplitMix64(seed: 1), encoder = ColumnEncoder()
        let bytes = (0..<rows).flatMap { value($0, &dice) }
        return try encoder.encode(
            Columns(rowCount: rows, columns: [Column(id: 1, presence: .full(rows), fixed16: bytes)]))
    }

    private static func read(_ plain: [UInt8], _ deflated: [UInt8], _ presence: RowSet) -> [UInt8]? {
        plain.withUnsafeBufferPointer { plain in
            deflated.withUnsafeBufferPointer { PackedIdentifiers.read(plain: plain, deflated: $0, presence) }
        }
    }

    private static func varints(_ values: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values { Varint.append(Varint.zigzag(value), to: &bytes) }
        return bytes
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
