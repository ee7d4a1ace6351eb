import Crypto
import ExporterRows
import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import ServiceKit
import Storage
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterStores

/// Files of statistics, beside those of raw rows.
@Suite struct StatisticsExportTests {
    private static let midnight = FigureHouse.midnight
    private static let hour: Int64 = 3_600_000

    /// An exporter with its aggregator, to which rows can come at any time.
    private final class House {
        private let directory: TemporaryDirectory
        let exporter: TestExporter
        private let aggregator: TestAggregator
        private var lane = TestLane(.batch)
        private var seq: Int64 = 0
        /// What the exporter has read of `rollups`, to be gone on with.
        private(set) var rollups = TestLane(.rollups)

        init(sealer: BlockSealer? = nil) throws {
            directory = try TemporaryDirectory()
            exporter = try TestExporter(directory, sealer: sealer)
            aggregator = try TestAggregator()
        }

        func take(_ rows: [TestRow]) throws {
            let block = try lane.block(rows)
            try exporter.take([block])
            let cells = try aggregator.take([block])
            try exporter.take(cells)
            if let last = cells.last { rollups = TestLane(after: last) }
        }

        func row(
            _ device: Int64, at time: Int64, sim: Int64 = 1, north: Int64 = 0, isShared: Bool = true,
            _ values: [UInt8: Int64] = [:]
        ) -> TestRow {
            seq += 1
            var all = values
            if !isShared { all[ColumnID.flags] = RowFlags.notForOperators.rawValue }
            return FigureHouse.row(
                device, at: time, network: sim, seq: seq, latitude: 40_500_000 + north * 60_000, all)
        }

        /// Two days and a few hours of phones in four cells of two networks.
        func fill() throws {
            var dice = SplitMix64(seed: 9), rows: [TestRow] = []
            for number in 0..<900 {
                let time = midnight + Int64(number) * 200_000
                let values = [
                    ColumnID.download: Int64.random(in: 500...20_000, using: &dice),
                    ColumnID.latency: Int64.random(in: 100...3_000, using: &dice),
                    ColumnID.networkType: number % 4 == 0 ? NetworkType.umts.rawValue : NetworkType.lte.rawValue,
                ]
                rows.append(
                    row(
                        Int64(number % 23) + 1, at: time, sim: number % 3 == 0 ? 2 : 1, north: Int64(number % 4),
                        isShared: number % 7 != 0, values))
            }
            try take(rows)
        }

        /// Everything counts until now.
        func complete() { exporter.effects.lanesComplete(to: [.rollups: exporter.clock.now]) }

        func statistics(_ token: String? = nil, _ query: String = "") async throws -> [ListedExport] {
            try await exporter.exports(token, "?content=statistics" + query).files
        }

        /// The lines of a file by the names of their columns; bytes and number of lines must be as listed.
        func lines(_ file: ListedExport, _ token: String? = nil) async throws -> [[String: String]] {
            let response = await exporter.download(file.name, token)
            #expect(response.status == .ok, "\(file.name)")
            let bytes = try await response.bytes()
            #expect(bytes.count == Int(file.bytes ?? -1) && Hexadecimal.text(SHA256.hash(data: bytes)) == file.sha256)
            let lines = String(decoding: try TestExporter.inflated(bytes), as: UTF8.self)
                .components(separatedBy: "\r\n").dropLast()
            let names = lines[0].components(separatedBy: ",")
            #expect(lines.count - 1 == file.rows, "\(file.name)")
            return lines.dropFirst().map {
                let parts = $0.components(separatedBy: ",")
                #expect(parts.count == names.count)
                return Dictionary(uniqueKeysWithValues: zip(names, parts))
            }
        }
    }

    @Test(arguments: ExportFileTests.sealers)
    func `hours and days have the figures that the map and series show`(sealer: BlockSealer?) async throws {
        let house = try House(sealer: sealer)
        try house.fill()
        let mtn = try await house.exporter.tenant("mtn", ["62401"])
        for token in [mtn, house.exporter.token] {
            #expect(try await house.statistics(token).isEmpty)
        }
        try house.exporter.export()
        #expect(try await house.statistics(mtn).isEmpty, "nobody has said how far the cells have come")
        house.complete()
        try house.exporter.export()
        for token in [mtn, house.exporter.token] {
            let files = try await house.statistics(token)
            // The last row is of two o'clock of the third local day, and it is one o'clock in the afternoon now.
            #expect(
                files.filter { $0.period == "day" }.map(\.name) == [
                    "statistics-2026-02-27.csv.gz", "statistics-2026-02-28.csv.gz",
                ])
            #expect(files.filter { $0.period == "hour" }.first?.from_ms == Self.midnight)
            #expect(files.allSatisfy { $0.version == 1 && $0.state == "current" })
            for file in files where file.period == "day" || file.from_ms == Self.midnight + 5 * Self.hour {
                try await expectFigures(house, file, token)
            }
        }
        #expect(try house.exporter.export() == 0, "nothing is made twice")
    }

    /// Expects the lines of a file to have what series and map show of the same time.
    private func expectFigures(_ house: House, _ file: ListedExport, _ token: String) async throws {
        let lines = try await house.lines(file, token), headers = TestExporter.bearer(token)
        #expect(
            lines.allSatisfy { $0["from"] == SystemTime.text(file.from_ms) && $0["to"] == SystemTime.text(file.to_ms) })
        for metric in ["download_kbps", "latency_ms"] {
            let time = "&from=\(file.from_ms)&to=\(file.to_ms)&metric=\(metric)"
            for line in lines where line["metric"] == metric && line["level"] == "" {
                let technology = line["technology"]!.isEmpty ? "" : "&technology=\(line["technology"]!)"
                let point = try #require(
                    try await house.exporter.answer(
                        "/v1/kpis?bucket=\(file.period)&plmn=\(line["network"]!)" + technology + time, headers
                    )["points"]?.array?.first)
                expect(
                    line, point,
                    ["n", "devices", "devices_at_least", "effective_devices", "method", "state", "p10", "p50", "p90"])
                #expect(line["p50_low"] == Self.text(point["interval"]?.array?[0]))
                #expect(line["p50_high"] == Self.text(point["interval"]?.array?[1]))
            }
            for level in [12, 16] {
                let cells = lines.filter { $0["metric"] == metric && $0["level"] == "\(level)" }
                #expect(!cells.isEmpty)
                for line in cells {
                    let shown = try #require(
                        try await house.exporter.answer(
                            "/v1/cells.json?level=\(level)&plmn=\(line["network"]!)&technology=\(line["technology"]!)"
                                + time,
                            headers
                        ).array?.first { $0["quadkey"]?.string == line["quadkey"] })
                    expect(
                        line, shown,
                        ["latitude", "longitude", "state", "p10", "p50", "p90", "devices", "devices_at_least"])
                    #expect(line["n"] == Self.text(shown["samples"]))
                }
            }
        }
        #expect(Set(lines.map { $0["network"]! }) == (token == house.exporter.token ? ["62401", "62402"] : ["62401"]))
    }

    private func expect(_ line: [String: String], _ shown: JSONValue, _ names: [String]) {
        for name in names {
            let text = Self.text(shown[name])
            #expect(line[name] == text || line[name].flatMap(Double.init) == Double(text), "\(name)")
        }
    }

    /// As CSV has it: nothing for what is not known.
    private static func text(_ value: JSONValue?) -> String {
        guard let value, value != .null else { return "" }
        return value.string ?? value.text
    }

    @Test func `late rows make another version after an hour, and the old one is given until then`() async throws {
        let house = try House()
        try house.fill()
        _ = try await house.exporter.exports()
        house.complete()
        try house.exporter.export()
        let before = try await house.statistics()
        try house.take([house.row(5, at: Self.midnight + 1_000, [ColumnID.download: 7_000])])
        try house.exporter.export()
        #expect(try await house.statistics() == before)
        let hour = try #require(before.first { $0.name == "statistics-2026-02-26T23.csv.gz" })
        #expect(try await house.lines(hour).count == hour.rows)
        house.exporter.clock.advance(by: ExportJobs.outdating)
        try house.exporter.export()
        let after = try await house.statistics()
        let changed = zip(before, after).filter { $0.0 != $0.1 }.map(\.1)
        #expect(changed.map(\.name) == ["statistics-2026-02-26T23.csv.gz", "statistics-2026-02-27.csv.gz"])
        #expect(changed.allSatisfy { $0.version == 2 && $0.state == "current" })
        try await expectFigures(house, changed[1], house.exporter.token)
    }

    @Test func `after an erasure nothing of before is given`() async throws {
        let house = try House()
        try house.fill()
        _ = try await house.exporter.exports()
        house.complete()
        try house.exporter.export()
        // The cells that come without a subject are newer; the file is given until the erasure is executed here.
        try house.take([house.row(5, at: Self.midnight + 1_000, [ColumnID.download: 7_000])])
        #expect(await house.exporter.download("statistics-2026-02-27.csv.gz").status == .ok)
        let there = try house.exporter.exportFiles.count
        house.exporter.clock.advance(by: 2_000)
        var orders = TestOrders()
        orders.rollups = house.rollups
        try house.exporter.erase([.of(4_000)], &orders)
        #expect(try house.exporter.worker.receipts().count == 1)
        let stale = try await house.statistics().filter { $0.state == "rewriting" }
        #expect(stale.map(\.name) == ["statistics-2026-02-26T23.csv.gz", "statistics-2026-02-27.csv.gz"])
        for file in stale { #expect(await house.exporter.download(file.name).status == .serviceUnavailable) }
        #expect(try house.exporter.exportFiles.count == there - 2)
        house.exporter.clock.advance(by: ExportJobs.settling)
        try house.exporter.export()
        let made = try await house.statistics().filter { file in stale.contains { $0.name == file.name } }
        #expect(made.allSatisfy { $0.state == "current" && $0.version == 2 })
    }

    @Test func `what is made while subjects go is not taken`() async throws {
        let house = try House()
        try house.fill()
        _ = try await house.exporter.exports()
        house.complete()
        let shelf = house.exporter.folder.exports!, span = ExportSpan.day(20_511, of: .statistics)
        let ticket = shelf.begin(span)
        #expect(shelf.isGood(ticket) && shelf.isClean)
        try house.exporter.folder.database.write { try shelf.subjectsGo(now: 0, $0) }
        #expect(!shelf.isGood(ticket) && !shelf.isClean)
        try shelf.end()
        #expect(shelf.isClean)
    }

    @Test func `statistics go when their time is over, and with who reads them`() async throws {
        let house = try House()
        try house.fill()
        let mtn = try await house.exporter.tenant("mtn", ["62401"])
        _ = try await (house.exporter.exports(), house.exporter.exports(mtn))
        house.complete()
        try house.exporter.export()
        #expect(try house.exporter.exportFiles.contains { $0.contains("-statistics-") })
        _ = try await house.exporter.tenantCalls.remove(["name": .string("mtn")])
        #expect(try !house.exporter.exportFiles.contains { !$0.hasPrefix("0-") })
        house.exporter.clock.advance(by: 8 * 86_400_000)
        house.complete()
        try house.exporter.export()
        let first = try #require(try await house.statistics().first)
        #expect(first.from_ms >= TestExporter.now - 86_400_000)
    }

    @Test func `statistics are listed behind raw rows and can be asked for alone`() async throws {
        let house = try House()
        try house.fill()
        _ = try await house.exporter.exports()
        house.complete()
        try house.exporter.export()
        let all = try await house.exporter.exports().files
        #expect(Set(all.map(\.content)) == ["reports", "statistics"])
        #expect(try await house.statistics() == all.filter { $0.content == "statistics" })
        var paged: [ListedExport] = [], next: String? = ""
        while let cursor = next {
            let page = try await house.exporter.exports(nil, "?limit=5" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            paged += page.files
            next = page.next
        }
        #expect(paged == all)
        #expect(await house.exporter.request("/v1/exports?content=alarms").status == .badRequest)
    }
}

extension TestExporter {
    fileprivate func answer(_ path: String, _ headers: HTTPFields) async throws -> JSONValue {
        try JSONValue(bytes: try await request(path, headers: headers).bytes())
    }
}
