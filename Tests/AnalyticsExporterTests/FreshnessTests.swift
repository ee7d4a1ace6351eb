import ExporterStores
import ExporterSupport
import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import QoE
import ServiceKit
import TemporaryFiles
import Testing
import Wire

@testable import AnalyticsExporter
@testable import ExporterAPI

/// What the exporter says about the age of its figures, and about who makes them.
@Suite struct FreshnessTests {
    private let directory: TemporaryDirectory
    private let exporter: TestExporter
    private static let now = TestExporter.now

    init() throws {
        directory = try TemporaryDirectory()
        exporter = try TestExporter(directory)
    }

    private func json(_ path: String) async throws -> [String: Any] {
        let text = try await exporter.text(path)
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func figure(_ name: String) async throws -> [String: Any] {
        try #require((try await json("/v1/status")["figures"] as? [String: Any])?[name] as? [String: Any])
    }

    /// All lanes are heard, but for some.
    private func hear(but others: [LaneName: LaneStatus] = [:]) {
        exporter.effects.freshness.watch {
            let lanes: [LaneName] = [.realtime, .batch, .alerts, .rollups, .privacy, .rewards]
            return Dictionary(
                uniqueKeysWithValues: lanes.map { ($0, (others[$0] ?? .idle, InboxFigures(silence: 400))) })
        }
    }

    private func complete(to moment: Int64) {
        exporter.effects.lanesComplete(
            to: [.realtime: moment, .batch: moment + 1, .alerts: moment, .rollups: moment, .rewards: moment])
    }

    @Test func `before anything is known no moment is told, and everything is late`() async throws {
        let status = try await json("/v1/status")
        #expect(status["late"] as? Bool == true && (status["services"] as? [Any])?.isEmpty == true)
        for name in ["alarms", "statistics", "rows", "campaigns"] {
            let figure = try await figure(name)
            #expect(figure["complete_to"] is NSNull && figure["complete_to_ms"] is NSNull)
            #expect(figure["late"] as? Bool == true)
        }
        #expect(try await json("/v1/heatmap")["complete_to"] is NSNull)
    }

    @Test func `answers say to which moment they are complete`() async throws {
        complete(to: Self.now - 2_000)
        let text = "2026-03-01T11:59:58.000Z"
        for path in ["/v1/heatmap", "/v1/alarms", "/v1/engagement", "/v1/campaigns"] {
            let document = try await json(path)
            #expect(
                document["complete_to"] as? String == text && document["complete_to_ms"] as? Int64 == Self.now - 2_000)
        }
        #expect(await exporter.request("/v1/reports.csv").headers[.completeTo] == text)
    }

    @Test func `nothing is late while all are heard and moments are new`() async throws {
        hear()
        complete(to: Self.now - 9_000)
        let status = try await json("/v1/status")
        #expect(status["late"] as? Bool == false)
        let services = try #require(status["services"] as? [[String: Any]])
        #expect(
            services.map { $0["service"] as? String } == [
                "alert-router", "batch-aggregator", "ingest", "privacy-worker", "reward-dispatcher",
            ])
        #expect(services.allSatisfy { $0["state"] as? String == "alive" && $0["silent_ms"] as? Int == 400 })
    }

    @Test(arguments: [
        (LaneName.alerts, LaneStatus.silent, "alarms", "alert-router"),
        (.rollups, .silent, "statistics", "batch-aggregator"), (.realtime, .silent, "rows", "ingest"),
        (.alerts, .waiting, "alarms", "alert-router"), (.rewards, .silent, "campaigns", "reward-dispatcher"),
    ])
    func `a figure is late while somebody it comes from is not heard`(
        lane: LaneName, status: LaneStatus, name: String, service: String
    ) async throws {
        hear(but: [lane: status])
        complete(to: Self.now - 1_000)
        let figure = try await figure(name)
        #expect(figure["late"] as? Bool == true && figure["missing"] as? [String] == [service])
    }

    @Test func `a home that pays no rewards lacks nothing for it`() async throws {
        hear(but: [.rewards: .waiting])
        exporter.effects.lanesComplete(
            to: [.realtime: Self.now, .batch: Self.now, .alerts: Self.now, .rollups: Self.now])
        let status = try await json("/v1/status")
        #expect(status["late"] as? Bool == false && (status["services"] as? [Any])?.count == 4)
        let campaigns = try await figure("campaigns")
        #expect(campaigns["late"] as? Bool == true && campaigns["complete_to"] is NSNull)
    }

    @Test(
        arguments: [("alarms", 10_000), ("statistics", 20_000), ("rows", 20_000), ("campaigns", 60_000)]
            as [(String, Int64)])
    func `a figure is late when its moment is older than it may be`(name: String, patience: Int64) async throws {
        hear()
        complete(to: Self.now - patience)
        #expect(try await figure(name)["late"] as? Bool == false)
        complete(to: Self.now - patience - 1)
        #expect(try await figure(name)["late"] as? Bool == true)
    }

    @Test func `a cell of few devices says so, and RSRP is told as it was measured`() async throws {
        var lane = TestLane(.rollups)
        let place = Quadkey(latitude: 38_600_000, longitude: 115_200_000, level: 12)!
        let cells = [
            (place, Int64(4)), (Quadkey(level: 12, code: place.code + 1), 5),
            (Quadkey(level: 12, code: place.code + 2), 10),
        ].map { place, devices in
            (
                key: CellKey(
                    bucketSeconds: 300, bucketStart: Self.now / 1_000 - 600, quadkey: place,
                    plmn: PLMN(rawValue: 624_001), technology: .g4, population: .shared), samples: Int64?(19),
                devices: devices,
                histograms: CellHistograms([.init(.rsrp, bin: Metric.rsrp.bins.bin(-1_000), count: 19)])
            )
        }
        try exporter.take([try lane.cells(cells)])
        let map = try await json("/v1/heatmap?metric=rsrp_dbm&level=12&from=\(Self.now - 900_000)&to=\(Self.now)")
        let found = try #require(map["features"] as? [[String: Any]]).compactMap { $0["properties"] as? [String: Any] }
        #expect(found.compactMap { $0["state"] as? String }.sorted() == ["dominated", "low_density", "ok"])
        #expect(found.allSatisfy { $0["value"] as? Double == -100 })
    }

    @Test func `who has a heat map is told so, with the moment to which it is complete now`() async throws {
        complete(to: Self.now - 9_000)
        let first = await exporter.request("/v1/heatmap?level=12")
        let tag = try #require(first.headers[.eTag])
        complete(to: Self.now - 1_000)
        var headers = TestExporter.bearer(exporter.token)
        headers[.ifNoneMatch] = "\"other\", \(tag)"
        let again = await exporter.request("/v1/heatmap?level=12", headers: headers)
        #expect(again.status == .notModified && again.headers[.completeTo] == "2026-03-01T11:59:59.000Z")
        headers[.ifNoneMatch] = "\"other\""
        #expect(await exporter.request("/v1/heatmap?level=12", headers: headers).status == .ok)
    }

    @Test func `a heat map is compressed for who takes that`() async throws {
        let plain = try await exporter.request("/v1/heatmap?level=12").bytes()
        var headers = TestExporter.bearer(exporter.token)
        headers[.acceptEncoding] = "gzip"
        let response = await exporter.request("/v1/heatmap?level=12", headers: headers)
        #expect(response.headers[.contentEncoding] == "gzip" && response.headers[.vary] == "Accept-Encoding")
        var inflater = BodyInflater(limit: 1 << 20), text: [UInt8] = []
        let length = try await response.bytes().withUnsafeBytes { try inflater.inflate($0, into: &text, padding: 0) }
        #expect(Array(text[..<length]) == Array(plain))
    }

    @Test func `adding up the bins of many buckets changes no figure`() {
        var many = MetricSum(), one = MetricSum(), random = SystemRandomNumberGenerator()
        var counts: [Int32: Int64] = [:]
        for _ in 0..<400 {
            let bin = Int32.random(in: 0..<600, using: &random)
            counts[bin, default: 0] += 2
            #expect(add(CellHistograms([.init(.download, bin: bin, count: 2)]), rows: 2, to: &many))
        }
        let all = CellHistograms(
            counts.sorted { $0.key < $1.key }.map { .init(.download, bin: $0.key, count: $0.value) })
        #expect(add(all, rows: 800, to: &one))
        let found = many.figures, expected = one.figures
        #expect(found.samples == expected.samples && found.bins == expected.bins)
    }

    /// Each row of a device of its own.
    private func add(_ histograms: CellHistograms, rows: Int64, to sum: inout MetricSum) -> Bool {
        histograms.encoded().withUnsafeBytes {
            sum.add(
                StoredCell(
                    rows: rows, devices: rows, histograms: $0, spreads: UnsafeRawBufferPointer(start: nil, count: 0),
                    isOther: false), of: Metric.download.rawValue)
        }
    }

    @Test func `no figure is above the maximum of its field`() {
        let scale = MetricScale(
            ProgrammeMetric(0, "download_kbps", column: ColumnID.download, bins: .logarithmic),
            Field(ColumnID.download, "download_kbps", .number(scale: 1), unit: "kbit/s", range: 0...10_000_000))
        let bin = BinTable.logarithmic.bin(10_000_000)
        #expect(scale.value(of: bin) == 10_000_000 && scale.values(of: bin...bin).upperBound == 10_000_000)
    }
}
