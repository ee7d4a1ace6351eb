import AnalyticsExporter
import Foundation
import Hummingbird
import Lanes
import Models
import QoE
import TemporaryFiles
import Testing

/// Cells that have the figures of another.
@Suite struct HeatmapReferenceTests {
    private typealias Cell = (key: CellKey, state: TestCellState)
    private static let start = TestExporter.now / 1_000 / 3_600 * 3_600
    private static let day = (start + 3_600) / 86_400 * 86_400 - 3_600
    private static let place = Quadkey(latitude: 38_667_000, longitude: 115_167_000)!

    private func key(
        _ seconds: UInt32, _ level: Int, start: Int64? = nil, plmn: Int64 = 624_001, technology: Technology = .g4,
        _ population: CellKey.Population = .shared
    ) -> CellKey {
        CellKey(
            bucketSeconds: seconds, bucketStart: start ?? (seconds == 86_400 ? Self.day : Self.start),
            quadkey: Self.place.parent(at: level), plmn: PLMN(rawValue: plmn), technology: technology,
            population: population)
    }

    private func figures(_ count: Int64, devices: Int64 = 1, download: Int64 = 5_000) -> TestCellState {
        .own(
            samples: count, devices: devices,
            CellHistograms([.init(.download, bin: BinTable.logarithmic.bin(download), count: count)]))
    }

    private func text(_ exporter: TestExporter, level: Int, seconds: Int64 = 3_600, headers: HTTPFields? = nil)
        async throws -> String
    {
        let from = seconds == 86_400 ? Self.day : Self.start
        return try await exporter.text(
            "/v1/heatmap?level=\(level)&from=\(from * 1_000)&to=\((from + seconds) * 1_000)", headers: headers)
    }

    /// Samples and devices of the one cell that a map has; nil if it has none.
    private func shown(_ exporter: TestExporter, level: Int, seconds: Int64 = 3_600) async throws -> [Int]? {
        let text = try await text(exporter, level: level, seconds: seconds)
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let features = try #require(document?["features"] as? [[String: Any]], "\(text)")
        #expect(features.count < 2)
        let properties = features.first?["properties"] as? [String: Any]
        return properties.map { [$0["samples"] as! Int, $0["devices"] as! Int] }
    }

    /// What a phone in one place leaves: one cell of 5 minutes and that of the whole have figures.
    @Test(arguments: 0..<6) func `the map is that of cells with figures`(seed: UInt64) async throws {
        var dice = SplitMix64(seed: seed)
        var own: [Cell] = [], referring: [Cell] = []
        for plmn in [Int64(624_001), 624_002] {
            for seconds in [UInt32(300), 3_600, 86_400] {
                for level in 6...16 {
                    let cell = key(seconds, level, plmn: plmn), source = key(300, 16, plmn: plmn)
                    own.append((cell, figures(plmn % 10, devices: 3)))
                    let isOwn = cell == source || cell.isOfWhole
                    referring.append((cell, isOwn ? figures(plmn % 10, devices: 3) : .reference(source)))
                }
            }
        }
        let directories = try (TemporaryDirectory(), TemporaryDirectory())
        let first = try TestExporter(directories.0), second = try TestExporter(directories.1)
        var lane = TestLane(.rollups), otherLane = TestLane(.rollups)
        try first.take([try lane.cells(own)])
        // After compaction, rows come in any order, a key each.
        for cell in referring.shuffled(using: &dice) { try second.take([try otherLane.cells([cell])]) }
        for level in 6...16 {
            for seconds in [Int64(300), 3_600, 86_400] {
                let expected = try await text(first, level: level, seconds: seconds)
                #expect(try await text(second, level: level, seconds: seconds) == expected)
                #expect(expected.contains("\"samples\":3,"))
            }
        }
        #expect(first.effects.figures == second.effects.figures)
    }

    @Test func `a reference follows its source and is not there without it`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.rollups)
        try exporter.take([try lane.cells([(key(3_600, 12), .reference(key(300, 16)))])])
        #expect(try await shown(exporter, level: 12) == nil)
        try exporter.take([try lane.cells([(key(300, 16), figures(4, devices: 2))])])
        #expect(try await shown(exporter, level: 12) == [4, 2])
        try exporter.take([try lane.cells([(key(300, 16), figures(9, devices: 5))])])
        #expect(try await shown(exporter, level: 12) == [9, 5])
        try exporter.take([try lane.cells([(key(300, 16), .gone)])])
        #expect(try await shown(exporter, level: 12) == nil)
        try exporter.take([try lane.cells([(key(3_600, 12), .gone), (key(300, 16), figures(9))])])
        #expect(try await shown(exporter, level: 12) == nil)
    }

    @Test func `a reference becomes a cell with figures and moves`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.rollups)
        try exporter.take([
            try lane.cells([
                (key(300, 16), figures(4)), (key(300, 14), .reference(key(300, 16))),
                (key(86_400, 12), .reference(key(300, 16))), (key(86_400, 10), .reference(key(300, 16))),
            ])
        ])
        // Rows came beside the source: the day's reference moves to a cell that is one itself until its row comes.
        try exporter.take([
            try lane.cells([(key(86_400, 12), .reference(key(300, 14))), (key(86_400, 10), figures(7))])
        ])
        #expect(try await shown(exporter, level: 12, seconds: 86_400) == [4, 1])
        #expect(try await shown(exporter, level: 10, seconds: 86_400) == [7, 1])
        try exporter.take([try lane.cells([(key(300, 14), figures(6, devices: 2))])])
        #expect(try await shown(exporter, level: 12, seconds: 86_400) == [6, 2])
        #expect(try await shown(exporter, level: 16, seconds: 300) == [4, 1])
    }

    @Test func `what is no source is refused`() throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let wrong: [(CellKey, CellKey)] = [
            (key(3_600, 12), key(300, 16, plmn: 624_002)), (key(3_600, 12), key(300, 16, technology: .g3)),
            (key(3_600, 12), key(3_600, 12)), (key(3_600, 12), key(3_600, 11)), (key(300, 12), key(3_600, 16)),
            (key(3_600, 12), key(300, 16, start: Self.start + 3_600)),
            (key(3_600, 12), key(300, 16, start: Self.start - 300)),
            (
                key(3_600, 16),
                CellKey(
                    bucketSeconds: 300, bucketStart: Self.start, quadkey: nil, plmn: PLMN(rawValue: 624_001),
                    technology: .g4, population: .shared)
            ),
            (key(3_600, 12), key(300, 16, .unshared)), (key(86_400, 6), key(86_400, 7)),
        ]
        for (cell, source) in wrong {
            var lane = TestLane(.rollups)
            #expect(throws: (any Error).self) { try exporter.take([try lane.cells([(cell, .reference(source))])]) }
        }
    }

    @Test func `an operator sees references of its networks only`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.rollups)
        for plmn in [Int64(624_001), 624_002] {
            try exporter.take([
                try lane.cells([
                    (key(3_600, 12, plmn: plmn), .reference(key(300, 16, plmn: plmn))),
                    (key(300, 16, plmn: plmn), figures(plmn % 10 * 10)),
                ])
            ])
        }
        let token = try await exporter.tenant("mtn", ["62401"])
        #expect(try await text(exporter, level: 12, headers: TestExporter.bearer(token)).contains("\"samples\":10,"))
        #expect(try await text(exporter, level: 12).contains("\"samples\":30,"))
    }
}
