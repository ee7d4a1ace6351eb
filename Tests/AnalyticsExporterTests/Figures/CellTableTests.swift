import Foundation
import Models
import QoE
import ServiceKit
import Testing

/// `GET /v1/cells.json` and `.csv`.
@Suite struct CellTableTests {
    @Test func `rows have the figures of the map, at the middle of their cells`() async throws {
        var dice = SplitMix64(seed: 3)
        let rows = (0..<200).map { number in
            FigureHouse.row(
                Int64(number % 25 + 1), at: FigureHouse.midnight + 1_000, seq: Int64(number + 1),
                latitude: 40_500_000 + .random(in: 0..<300_000, using: &dice),
                longitude: 97_000_000 + .random(in: 0..<300_000, using: &dice),
                [ColumnID.latency: .random(in: 100...3_000, using: &dice)])
        }
        let house = try FigureHouse(rows)
        let query =
            "?metric=latency_ms&level=14&below=100&from=\(FigureHouse.midnight)&to=\(FigureHouse.midnight + 300_000)"
        let map = try #require(try await house.answer("/v1/heatmap" + query)["features"]?.array)
        let cells = try #require(try await house.answer("/v1/cells.json" + query).array)
        #expect(map.count == cells.count && cells.count > 3)
        for (feature, cell) in zip(map, cells) {
            let shown = feature["properties"]!
            for name in [
                "quadkey", "state", "value", "p10", "p50", "p90", "samples", "devices", "devices_at_least", "below",
            ] {
                #expect(cell[name] == shown[name], "\(name)")
            }
            #expect(cell["interval_low"] == shown["interval"]?.array?[0])
            #expect(cell["interval_high"] == shown["interval"]?.array?[1])
            let middle = Quadkey(
                latitude: Int64((cell["latitude"]!.double! * 1e7).rounded()),
                longitude: Int64((cell["longitude"]!.double! * 1e7).rounded()), level: 14)
            #expect(middle?.text == cell["quadkey"]?.string)
        }
        let lines = try await house.exporter.text("/v1/cells.csv" + query).components(separatedBy: "\r\n")
        #expect(lines.count == cells.count + 2 && lines.last == "")
        let names = lines[0].components(separatedBy: ",")
        for (line, cell) in zip(lines.dropFirst(), cells) {
            let parts = line.components(separatedBy: ",")
            #expect(parts.count == names.count)
            for (name, part) in zip(names, parts) {
                let value = cell[name]
                #expect(value?.string ?? value.map(\.text) ?? "" == part, "\(name)")
            }
        }
    }
}
