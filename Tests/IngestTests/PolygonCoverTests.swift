import Models
import Testing

@testable import IngestAPI

@Suite struct PolygonCoverTests {
    /// Every point of a random polygon is in a cell of its cover; cells do not lie in each other and are few.
    @Test(arguments: UInt64(0)..<40) func `every point inside is covered`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let middle = (longitude: 9.5 + Double(random.below(600)) / 100, latitude: 2 + Double(random.below(900)) / 100)
        let size = [0.002, 0.02, 0.3, 4][Int(random.below(4))]
        let corners = (0..<(3 + Int(random.below(9)))).map { index in
            let angle = Double(index) * 0.5, reach = size * (0.3 + Double(random.below(100)) / 140)
            return (
                longitude: middle.longitude + reach * cosine(angle), latitude: middle.latitude + reach * sine(angle)
            )
        }
        let cover = PolygonCover(corners)
        #expect(!cover.cells.isEmpty && cover.cells.count <= PolygonCover.most)
        let area = ErasureArea(
            ErasureScope(from: nil, to: nil, cells: cover.cells, requestedAt: 1))!
        for _ in 0..<200 {
            // A point between three corners is inside the hull of a triangle of the polygon's own corners.
            let a = corners[Int(random.below(UInt64(corners.count)))],
                b = corners[(Int(random.below(UInt64(corners.count))))]
            let share = Double(random.below(1_000)) / 1_000
            let point = (
                a.longitude + (b.longitude - a.longitude) * share, a.latitude + (b.latitude - a.latitude) * share
            )
            guard inside(point, corners) else { continue }
            let cell = Quadkey(latitude: Int64(point.1 * 1e7), longitude: Int64(point.0 * 1e7))!
            #expect(area.meets(cell))
        }
        for cell in cover.cells {
            #expect(!cover.cells.contains { $0 != cell && $0.level <= cell.level && cell.parent(at: $0.level) == $0 })
        }
    }

    @Test func `a house takes few cells, and nothing far away`() {
        let cover = PolygonCover([(11.5, 3.84), (11.502, 3.84), (11.502, 3.842), (11.5, 3.842)])
        #expect(cover.cells.count <= 4 && cover.cells.allSatisfy { $0.level == 16 })
        let area = ErasureArea(ErasureScope(from: nil, to: nil, cells: cover.cells, requestedAt: 1))!
        #expect(!area.meets(Quadkey(latitude: 39_000_000, longitude: 115_000_000)!))
    }

    private func inside(_ point: (Double, Double), _ corners: [(longitude: Double, latitude: Double)]) -> Bool {
        var isInside = false
        for index in corners.indices {
            let a = corners[index], b = corners[(index + 1) % corners.count]
            guard (a.latitude > point.1) != (b.latitude > point.1) else { continue }
            if point.0 < a.longitude + (point.1 - a.latitude) / (b.latitude - a.latitude) * (b.longitude - a.longitude)
            {
                isInside.toggle()
            }
        }
        return isInside
    }

    private func sine(_ x: Double) -> Double { x.truncatingRemainder(dividingBy: 6.3) < 3.1 ? 0.8 : -0.6 }
    private func cosine(_ x: Double) -> Double { 1 - x / 2.2 }
}
