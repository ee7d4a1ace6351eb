import Foundation
import Testing

@testable import Models

@Suite("Quadkey")
struct QuadkeyTests {
    // Douala, by the formula of Bing's tile system computed separately.
    static let latitude: Int64 = 40_482_700
    static let longitude: Int64 = 97_042_800

    @Test
    func `the cell of Douala is the one that the published formula gives`() throws {
        let key = try #require(Quadkey(latitude: Self.latitude, longitude: Self.longitude))
        #expect(key.column == 34534)
        #expect(key.row == 32030)
        #expect(key.text == "1222231211122330")
    }

    @Test
    func `a parent is a prefix, and text reads back`() throws {
        let key = try #require(Quadkey(latitude: Self.latitude, longitude: Self.longitude))
        for level in 1...16 {
            #expect(key.text.hasPrefix(key.parent(at: level).text))
            #expect(Quadkey(text: key.parent(at: level).text) == key.parent(at: level))
        }
        #expect(Quadkey(text: "0124") == nil)
    }

    @Test
    func `a position lies inside the bounds of its cell`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
            let latitude = Int64.random(in: -850_000_000...850_000_000, using: &random)
            let longitude = Int64.random(in: -1_800_000_000...1_799_999_999, using: &random)
            let bounds = try #require(Quadkey(latitude: latitude, longitude: longitude)).bounds
            #expect((bounds.west...bounds.east).contains(Double(longitude) / 1e7))
            #expect(bounds.south - 1e-9 <= Double(latitude) / 1e7 && Double(latitude) / 1e7 <= bounds.north + 1e-9)
        }
    }

    @Test func `rows by the table are those of the formula, near edges too`() {
        var random = SplitMix64(seed: 3), byTable = 0
        for _ in 0..<200_000 {
            let level = Int(6 + random.below(15)), side = Double(1 << level)
            var latitude = Int64(random.below(1_200_000_000)) - 600_000_000
            if random.chance(percent: 50) {
                // Within a hand's breadth of an edge.
                let edge = (Quadkey.northing(latitude) * side).rounded() / side
                latitude = Int64(Foundation.asin(Foundation.tanh((0.5 - edge) * 2 * .pi)) * 180 / .pi * 1e7)
                latitude += Int64(random.below(5)) - 2
            }
            guard let row = MercatorTable.row(latitude, level: level) else { continue }
            byTable += 1
            #expect(row == Int(Quadkey.northing(latitude) * side), "\(latitude) at level \(level)")
        }
        #expect(byTable > 100_000)
    }

    @Test(
        "a row enters at the finest cell that is as wide as its accuracy, and without a cell when it is lost or too fast"
    )
    func `entry`() {
        func level(_ accuracy: Int64?, _ speed: Int64? = nil) -> Int? {
            Quadkey.entry(latitude: Self.latitude, longitude: Self.longitude, accuracy: accuracy, speed: speed)?.level
        }
        #expect(level(nil) == 16)
        #expect(level(6_000) == 16)
        #expect(level(6_150) == 15)
        #expect(level(10_000) == 15)
        #expect(level(48_000) == 13)
        #expect(level(100_000) == 11)
        #expect(level(100_001) == nil)
        #expect(level(100, 5_000) == 16)
        #expect(level(100, 5_001) == nil)
        #expect(Quadkey.entry(latitude: 860_000_000, longitude: 0, accuracy: nil, speed: nil) == nil)
    }
}
