import Testing

@testable import Wire

/// Bytes written by the first release: every later build reads them.
@Suite struct FormatFixtureTests {
    private static let table = Columns(
        rowCount: 3,
        columns: [
            Column(
                id: 1, presence: RowSet(count: 3, words: [0b101]),
                fixed16: Array(1...16) + [UInt8](repeating: 0, count: 16) + Array(17...32)),
            Column(id: 4, encoding: .delta, values: [1_785_000_000_123, 1_785_000_000_100, 1_785_000_060_000]),
            Column(id: 40, values: [-843, nil, .min]),
            Column(id: 71, strings: [Array("bonjour".utf8), nil, []]),
        ])
    private static let header = BlockHeader(
        generation: 0xfeed_face_cafe_beef, number: 300, previous: 298, kind: 1, kindVersion: 1, rowCount: 3,
        keptRows: 2,
        keyID: 7, committedAt: 1_785_000_061_000, subjects: [5, 130, 1 << 40], rawLength: 45, crc32: 0x1234_5678)

    private static let payload = """
        01030401822004010a28800c4783090102030405060708090a0b0c0d0e0f10111213141516171819
        1a1b1c1d1e1f2063fdf6f2f292cfe9ba3f96b3b34ee5fd0f038cacec0c49f97959f9a54500
        """
    private static let headerBytes = """
        010101000300000002000000070000002d00000078563412efbefecacefaedfe2c01000000000000
        2a0100000000000048684b9a9f01000003000000057dfefeffffff1f1e59e5b7
        """

    @Test func `a payload of version 1 is still read`() throws {
        var decoder = ColumnDecoder()
        let payload = bytes(FormatFixtureTests.payload)
        let table = try decoder.decode(payload, rowCount: 3, rawLength: 34, crc32: CRC32.checksum(payload))
        #expect(table == FormatFixtureTests.table)
    }

    @Test func `directory and identifiers are written as drawn`() throws {
        // The deflated part may differ between zlib releases; what lies before it may not.
        var encoder = ColumnEncoder()
        let encoded = try encoder.encode(FormatFixtureTests.table)
        let expected = bytes(FormatFixtureTests.payload)
        #expect(encoded.payload.prefix(47) == expected.prefix(47))
        #expect(encoded.rawLength == 34)
    }

    @Test func `a header of version 1 is still read and written`() throws {
        #expect(try BlockHeader(decoding: bytes(FormatFixtureTests.headerBytes)) == FormatFixtureTests.header)
        #expect(FormatFixtureTests.header.encoded() == bytes(FormatFixtureTests.headerBytes))
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
