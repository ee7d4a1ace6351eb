import AnalyticsExporter
import Foundation
import Hummingbird
import Lanes
import Models
import QoE
import TemporaryFiles
import Testing

@Suite struct HeatmapTests {
    private struct Sample {
        var time: Int64
        var place: Quadkey
        var plmn: PLMN
        var technology: Technology
        var download: Int64
        var device: Int64
    }

    private typealias Cell = (key: CellKey, samples: Int64?, devices: Int64, histograms: CellHistograms)
    private static let noon = TestExporter.now / 1000

    private func samples(_ count: Int) -> [Sample] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in
            Sample(
                time: Self.noon - .random(in: 0..<300_000, using: &random),
                place: Quadkey(
                    latitude: .random(in: 38_000_000...39_500_000, using: &random),
                    longitude: .random(in: 114_500_000...116_000_000, using: &random))!,
                plmn: [PLMN(rawValue: 624_001), PLMN(rawValue: 624_002), .unknown].randomElement(using: &random)!,
                technology: [.g3, .g4].randomElement(using: &random)!,
                download: .random(in: 0...200_000, using: &random),
                // So few that nothing is capped.
                device: .random(in: 0..<3, using: &random))
        }
    }

    /// Cells as the aggregator makes them, for one day zone (Douala: UTC+1).
    private func cells(of samples: [Sample]) -> [Cell] {
        var groups: [CellKey: [Sample]] = [:]
        for sample in samples {
            let day = (sample.time + 3600) / 86_400 * 86_400 - 3600
            for (seconds, start) in [(300, sample.time / 300 * 300), (3600, sample.time / 3600 * 3600), (86_400, day)] {
                for level in 6...16 {
                    let key = CellKey(
                        bucketSeconds: UInt32(seconds), bucketStart: start, quadkey: sample.place.parent(at: level),
                        plmn: sample.plmn, technology: sample.technology, population: .shared)
                    groups[key, default: []].append(sample)
                }
            }
        }
        return groups.map { key, samples in
            (
                key, Int64(samples.count), Int64(Set(samples.map(\.device)).count),
                CellHistograms(samples.map { .init(.download, bin: BinTable.logarithmic.bin($0.download), count: 1) })
            )
        }
    }

    private func features(_ exporter: TestExporter, _ query: String) async throws -> [String: [String: Any]] {
        let text = try await exporter.text("/v1/heatmap?" + query)
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
        let features = try #require(document["features"] as? [[String: Any]], "\(text)")
        return Dictionary(
            uniqueKeysWithValues: features.map { feature in
                let properties = feature["properties"] as! [String: Any]
                return (properties["quadkey"] as! String, properties)
            })
    }

    @Test(arguments: [6, 9, 12, 16], ["", "&plmn=62401", "&plmn=unknown&technology=4G", "&technology=3G"])
    func `equals counting all samples anew`(level: Int, filter: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let all = samples(600)
        var lane = TestLane(.rollups)
        try exporter.take([try lane.cells(cells(of: all))])
        let from = Self.noon - 250_000, to = Self.noon - 1000
        let found = try await features(
            exporter, "metric=download_kbps&level=\(level)&from=\(from * 1000)&to=\(to * 1000)" + filter)
        let wanted = all.filter { sample in
            sample.time >= from / 300 * 300 && sample.time < (to + 299) / 300 * 300
                && (!filter.contains("62401") || sample.plmn.rawValue == 624_001)
                && (!filter.contains("unknown") || sample.plmn == .unknown)
                && (!filter.contains("4G") || sample.technology == .g4)
                && (!filter.contains("3G") || sample.technology == .g3)
        }
        let expected = Dictionary(grouping: wanted) { $0.place.parent(at: level).text }
        #expect(Set(found.keys) == Set(expected.keys))
        for (quadkey, samples) in expected {
            let cell = try #require(found[quadkey])
            #expect(cell["samples"] as? Int == samples.count)
            let bins = samples.map { BinTable.logarithmic.bin($0.download) }.sorted()
            for (name, percent) in [("p10", 10), ("value", 50), ("p50", 50), ("p90", 90)] {
                let rank = (percent * bins.count + 99) / 100
                #expect((cell[name] as? Int64) == BinTable.logarithmic.value(of: bins[rank - 1]))
            }
            let devices = Set(samples.map(\.device)).count
            if let exact = cell["devices"] as? Int { #expect(exact == devices) }
            #expect((cell["devices_at_least"] as! Int) <= devices)
        }
    }

    @Test func `a box keeps the cells it touches`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let all = samples(300)
        var lane = TestLane(.rollups)
        try exporter.take([try lane.cells(cells(of: all))])
        let from = TestExporter.now - 400_000_000
        let found = try await features(exporter, "level=13&from=\(from)&bbox=11.5,3.85,11.55,3.9")
        let expected = Set(
            all.map { $0.place.parent(at: 13) }.filter { place in
                let edges = place.bounds
                return edges.west <= 11.55 && edges.east >= 11.5 && edges.south <= 3.9 && edges.north >= 3.85
            }.map(\.text))
        #expect(Set(found.keys) == expected && !expected.isEmpty)
    }

    @Test func `figures follow updates and survive a restart`() throws {
        let directory = try TemporaryDirectory()
        let key = { (seconds: UInt32, level: Int?) in
            CellKey(
                bucketSeconds: seconds, bucketStart: 0, quadkey: level.map { Quadkey(level: $0, code: 1) },
                plmn: .unknown, technology: .g4, population: .shared)
        }
        var lane = TestLane(.rollups)
        do {
            let exporter = try TestExporter(directory)
            try exporter.take([
                try lane.cells([
                    (key(86_400, 6), 10, 1, .init()), (key(86_400, 7), 10, 1, .init()), (key(3600, 6), 10, 1, .init()),
                    (key(86_400, nil), 3, 1, .init()),
                ])
            ])
            #expect(exporter.effects.figures.heatmapSamples == 13)
            try exporter.take([try lane.cells([(key(86_400, 6), 25, 2, .init()), (key(86_400, 6), 26, 2, .init())])])
            #expect(exporter.effects.figures.heatmapSamples == 29)
        }
        let exporter = try TestExporter(directory)
        #expect(exporter.effects.figures.heatmapSamples == 29)
        try exporter.take([try lane.cells([(key(86_400, nil), nil, 0, .init()), (key(86_400, 6), 20, 2, .init())])])
        #expect(exporter.effects.figures.heatmapSamples == 20)
    }

    @Test func `a cell without the metric says so`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.rollups)
        try exporter.take([try lane.cells(cells(of: samples(20)))])
        let cells = try await features(exporter, "metric=rating&level=6&from=\(TestExporter.now - 400_000_000)")
        #expect(!cells.isEmpty)
        for cell in cells.values {
            #expect(cell["state"] as? String == "no_data" && cell["value"] is NSNull && cell["samples"] as? Int == 0)
        }
    }

    @Test(arguments: [
        ("metric=speed", "metric"), ("level=5", "level"), ("level=x", "level"), ("technology=6G", "technology"),
        ("plmn=1", "plmn"), ("bbox=1,2", "bbox"), ("from=yesterday", "from"), ("from=2000&to=1000", "to"),
        ("from=0&to=1772366400000", "from"), ("metrik=rating", "metrik"), ("level=6&level=7", "level"),
    ])
    func `a bad parameter is named`(query: String, field: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let response = await exporter.request("/v1/heatmap?" + query)
        #expect(response.status == .badRequest && response.headers[.contentType] == "application/problem+json")
        let problem = try JSONSerialization.jsonObject(with: Data(try await response.bytes())) as! [String: Any]
        #expect(problem["field"] as? String == field && (problem["detail"] as! String).count > field.count)
    }

    @Test func `too many cells are refused`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory, settings: ["NKUL_EXPORTER_HEATMAP_CELLS": "5"])
        var lane = TestLane(.rollups)
        try exporter.take([try lane.cells(cells(of: samples(200)))])
        let response = await exporter.request("/v1/heatmap?level=16&from=\(TestExporter.now - 400_000_000)")
        #expect(response.status == .badRequest)
        #expect(String(decoding: try await response.bytes(), as: UTF8.self).contains("too_many_cells"))
    }
}
