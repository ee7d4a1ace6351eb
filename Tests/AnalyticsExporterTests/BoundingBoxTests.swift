import ExporterSupport
import Models
import Testing

@testable import ExporterAPI

@Suite struct BoundingBoxTests {
    @Test func `code ranges hold every cell of the box`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<40 {
            let west = Int64.random(in: -1_800_000_000...1_700_000_000, using: &random)
            let south = Int64.random(in: -900_000_000...800_000_000, using: &random)
            let box = BoundingBox(
                west: west, south: south, east: west + .random(in: 1...99_000_000, using: &random),
                north: south + .random(in: 1...99_000_000, using: &random))
            let level = Int.random(in: 4...6, using: &random)
            let ranges = box.codeRanges(level: level)
            #expect(ranges.count <= 12)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.0.upperBound < $0.1.lowerBound })
            let tiles = box.tiles(level: level)
            for code in UInt64(0)..<(1 << UInt64(2 * level)) {
                let place = Quadkey(level: level, code: code)
                guard tiles.columns.contains(place.column), tiles.rows.contains(place.row) else { continue }
                #expect(ranges.contains { $0.contains(code) })
            }
        }
    }

    @Test(arguments: ["", "1,2,3", "a,b,c,d", "3,1,2,4", "0,0,0,1", "-181,0,1,1", "0,0,1,91", "nan,0,1,1"])
    func `refuses what is not a box`(text: String) {
        #expect(throws: ParameterFault.self) { try BoundingBox(text: text) }
    }
}
