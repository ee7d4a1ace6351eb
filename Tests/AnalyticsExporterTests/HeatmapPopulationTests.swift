import AnalyticsExporter
import ExporterStores
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Lanes
import Models
import QoE
import Storage
import TemporaryFiles
import Testing

/// Who sees the cells of which rows.
@Suite struct HeatmapPopulationTests {
    private static let start = TestExporter.now / 1_000 / 3_600 * 3_600

    private func key(
        _ population: CellKey.Population, plmn: Int64 = 624_001, technology: Technology = .g4, start: Int64 = start,
        level: Int = 12
    ) -> CellKey {
        CellKey(
            bucketSeconds: 3_600, bucketStart: start,
            quadkey: Quadkey(latitude: 38_667_000, longitude: 115_167_000)!.parent(at: level),
            plmn: PLMN(rawValue: plmn), technology: technology, population: population)
    }

    private func figures(_ count: Int64, devices: Int64, download: Int64 = 5_000) -> TestCellState {
        .own(
            samples: count, devices: devices,
            CellHistograms([.init(.download, bin: BinTable.logarithmic.bin(download), count: count)]))
    }

    /// What a map says of the one cell that it has: samples, devices, at least how many; nil if it has none.
    private func shown(
        _ exporter: TestExporter, _ query: String = "", hours: Int64 = 1, token: String? = nil
    ) async throws -> [Int?]? {
        let text = try await exporter.text(
            "/v1/heatmap?from=\(Self.start * 1_000)&to=\((Self.start + 3_600 * hours) * 1_000)" + query,
            headers: token.map(TestExporter.bearer))
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let features = try #require(document?["features"] as? [[String: Any]], "\(text)")
        #expect(features.count < 2)
        let properties = features.first?["properties"] as? [String: Any]
        return properties.map { properties in
            ["samples", "devices", "devices_at_least"].map { properties[$0] as? Int }
        }
    }

    @Test func `an operator sees what is shared and a regulator both`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.rollups)
        try exporter.take([
            try lane.cells([
                (key(.shared), figures(80, devices: 20)), (key(.unshared), figures(40, devices: 10, download: 9)),
                (key(.unshared, plmn: 624_002), figures(7, devices: 2)),
            ])
        ])
        let mtn = try await exporter.tenant("mtn", ["62401"]), orange = try await exporter.tenant("orange", ["62402"])
        #expect(try await shown(exporter, token: mtn) == [80, 20, 20])
        #expect(try await shown(exporter, "&plmn=62401", token: mtn) == [80, 20, 20])
        #expect(try await shown(exporter, token: orange) == nil)
        // Also a regulator that asks for one network.
        #expect(try await shown(exporter, "&plmn=62401") == [120, 30, 20])
        #expect(try await shown(exporter, "&plmn=62402") == [7, 2, 2])
        #expect(try await shown(exporter) == [127, nil, 20])
        let text = try await exporter.text(
            "/v1/heatmap?from=\(Self.start * 1_000)&to=\((Self.start + 3_600) * 1_000)&plmn=62401")
        #expect(text.contains("\"p10\":9,"))
    }

    @Test func `devices of several cells are not added up`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.rollups)
        try exporter.take([try lane.cells([(key(.unshared), figures(1, devices: 1))])])
        #expect(try await shown(exporter) == [1, 1, 1])
        try exporter.take([try lane.cells([(key(.shared, technology: .g3), figures(2, devices: 2))])])
        #expect(try await shown(exporter) == [3, nil, 2])
        #expect(try await shown(exporter, "&technology=4G") == [1, 1, 1])
        try exporter.take([try lane.cells([(key(.unshared, start: Self.start + 3_600), figures(5, devices: 4))])])
        #expect(try await shown(exporter, "&technology=4G", hours: 2) == [6, nil, 4])
        try exporter.take([try lane.cells([(key(.shared, start: Self.start + 3_600), figures(5, devices: 1))])])
        #expect(try await shown(exporter, "&technology=4G", hours: 2) == [11, nil, 4])
    }

    /// Blocks of an aggregator that knew no populations wait on the lane.
    @Test func `cells of an older aggregator are not shared`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.rollups)
        let source = key(.unshared, level: 16)
        try exporter.take([
            try lane.cells([(source, figures(9, devices: 3)), (key(.unshared), .reference(source))], version: 2)
        ])
        let mtn = try await exporter.tenant("mtn", ["62401"])
        #expect(try await shown(exporter) == [9, 3, 3])
        #expect(try await shown(exporter, token: mtn) == nil)
        try exporter.take([try lane.cells([(source, figures(10, devices: 4)), (key(.shared), figures(1, devices: 1))])])
        #expect(try await shown(exporter) == [11, 5, 4])
        #expect(try await shown(exporter, token: mtn) == [1, 1, 1])
    }

    /// A home of before is opened: its cells are those of what is not shared, references too.
    @Test func `cells of an older home are not shared`() async throws {
        let directory = try TemporaryDirectory()
        let place = try #require(ExporterStore.migrations.firstIndex { $0.name == "cells by programme and population" })
        let source = key(.unshared, level: 16), cell = key(.unshared)
        let histograms = CellHistograms([.init(.download, bin: 9, count: 4)]).encoded()
        let path = directory.path + "/state.sqlite"
        let older = try ServiceDatabase(path: path, migrations: Array(ExporterStore.migrations[..<place]))
        try older.write { db in
            for (key, source) in [(source, nil), (cell, source)] {
                let quadkey = key.quadkey!
                try db.execute(
                    sql: "INSERT INTO cells VALUES (3600, ?, ?, ?, 624001, 3, ?, ?, ?, ?)",
                    arguments: [
                        quadkey.level, key.bucketStart, Int64(quadkey.code), source == nil ? 4 : 0,
                        source == nil ? 2 : 0, source == nil ? Data(histograms) : Data(),
                        source.map { Data(TestLane.version1($0)) },
                    ])
            }
        }
        try older.close()
        let exporter = try TestExporter(directory)
        #expect(try await shown(exporter, "&level=12") == [4, 2, 2])
        #expect(try await shown(exporter, "&level=16") == [4, 2, 2])
        let mtn = try await exporter.tenant("mtn", ["62401"])
        #expect(try await shown(exporter, token: mtn) == nil)
    }
}
