import OpenFormats
import Testing

struct ParquetFileTests {
    private static func table() throws -> [UInt8] {
        var file = ParquetFile()
        let first = try file.append([
            .init("quadkey", .text(["1222", "1223", nil])), .init("tests", .int64([10, nil, -3])),
            .init("share", .double([0.5, nil, nil])),
            .init("geometry", .bytes([Geometry.rectangle(west: 9, south: 4, east: 10, north: 5), nil, []])),
        ])
        let second = try file.append([
            .init("quadkey", .text(["é"])), .init("tests", .int64([.max])), .init("share", .double([nil])),
            .init("geometry", .bytes([nil])),
        ])
        return first + second + file.footer([("geo", Geometry.metadata(box: [9, 4, 10, 5]))])
    }

    @Test func `a file begins and ends as the format says, and the same table gives the same bytes`() throws {
        let bytes = try Self.table()
        #expect(Array(bytes.prefix(4)) == Array("PAR1".utf8))
        #expect(Array(bytes.suffix(4)) == Array("PAR1".utf8))
        let length = bytes.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length > 100 && length < bytes.count - 12)
        #expect(try bytes == Self.table())
    }

    @Test func `a file without rows has its columns all the same`() throws {
        var file = ParquetFile()
        #expect(try file.append([.init("quadkey", .text([]))]).isEmpty)
        let bytes = file.footer()
        #expect(Array(bytes.prefix(4)) == Array("PAR1".utf8))
        #expect(String(decoding: bytes, as: Unicode.ASCII.self).contains("quadkey"))
    }

    @Test func `a rectangle is a ring of five corners, counter-clockwise`() {
        let bytes = Geometry.rectangle(west: 9, south: 4, east: 10, north: 5)
        #expect(bytes.count == 13 + 5 * 16)
        #expect(Array(bytes.prefix(13)) == [1, 3, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0])
        let doubles = stride(from: 13, to: bytes.count, by: 8).map { start in
            Double(bitPattern: bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        #expect(doubles == [9, 4, 10, 4, 10, 5, 9, 5, 9, 4])
    }
}
