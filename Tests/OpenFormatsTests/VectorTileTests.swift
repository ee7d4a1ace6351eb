import OpenFormats
import Testing

struct VectorTileTests {
    @Test func `a square is the polygon that the specification draws`() {
        var tile = VectorTile(layer: "a")
        tile.append(column: 3, row: 6, side: 2, [("k", .integer(-1))])
        let geometry: [UInt8] = [9, 6, 12, 26, 4, 0, 0, 4, 3, 0, 15]
        let feature: [UInt8] = [0x12, 2, 0, 0, 0x18, 3, 0x22, 11] + geometry
        let layer: [UInt8] =
            [0x0a, 1, 0x61, 0x12, UInt8(feature.count)] + feature + [0x1a, 1, 0x6b, 0x22, 2, 0x30, 1]
            + [0x28, 0x80, 0x20, 0x78, 2]
        #expect(tile.bytes == [0x1a, UInt8(layer.count)] + layer)
    }

    @Test func `keys and values are written once, and a layer without squares is no tile`() {
        var tile = VectorTile(layer: "cells")
        #expect(tile.bytes.isEmpty)
        for column in 0..<3 {
            tile.append(
                column: column, row: 0, side: 1, [("quadkey", .text("0\(column % 2)")), ("value", .double(1.5))])
        }
        let text = String(decoding: tile.bytes, as: Unicode.ASCII.self)
        #expect(text.split(separator: "quadkey", omittingEmptySubsequences: false).count == 2)
        #expect(text.split(separator: "00", omittingEmptySubsequences: false).count == 2)
    }
}
