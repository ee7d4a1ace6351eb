import ExporterRows
import ExporterSupport
import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import QoE
import SocketTesting
import TemporaryFiles
import Testing
import Wire

@testable import ExporterAPI

@Suite struct ReportDownloadTests {
    private static let start: Int64 = 1_772_323_200_000

    /// 3 000 rows in blocks of 70, two lanes, two networks, reports and feedback.
    private func filled(_ directory: TemporaryDirectory) throws -> TestExporter {
        let exporter = try TestExporter(directory)
        var lanes = [TestLane(.realtime, generation: 1), TestLane(.batch, generation: 2)]
        for block in 0..<43 {
            let isFeedback = block % 5 == 0
            let rows = (0..<70).map { place -> TestRow in
                let number = Int64(block * 70 + place)
                return TestRow(
                    kind: isFeedback ? .feedback : .report, device: number % 13, received: Self.start + number * 60_000,
                    captured: Self.start + number * 60_000 - 500, seq: number + 1,
                    values: [
                        ColumnID.mcc: 624, ColumnID.mnc: place % 3 == 0 ? 1 : 2, ColumnID.rsrp: -843,
                        (isFeedback ? ColumnID.rating : ColumnID.download): isFeedback ? 4 : 12_345,
                    ])
            }
            try exporter.take([try lanes[block % 2].block(rows)])
        }
        return exporter
    }

    @Test func `every row is there once in order of arrival`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let rows = try await exporter.rows()
        #expect(rows.map { $0["received_at_ms"] as! Int64 } == (0..<3010).map { Self.start + $0 * 60_000 })
        #expect(Set(rows.map { $0["id"] as! String }).count == 3010)
    }

    @Test(arguments: ["", "&plmn=62401", "&kind=feedback"])
    func `pieces by cursor make up the whole`(filter: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let whole = try await exporter.rows("?limit=1000000" + filter).map { $0["id"] as! String }
        var pieces: [String] = []
        var cursor = ""
        while true {
            let piece = try await exporter.rows("?limit=97" + filter + cursor)
            pieces += piece.map { $0["id"] as! String }
            guard piece.count == 97 else { break }
            cursor = "&cursor=" + (piece.last!["cursor"] as! String)
        }
        #expect(pieces == whole)
        #expect(whole.count == (filter.isEmpty ? 3010 : filter == "&kind=feedback" ? 630 : 43 * 24))
    }

    @Test func `filters by time of capture`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let from = Self.start + 100 * 60_000 - 500, to = Self.start + 110 * 60_000 - 500
        let rows = try await exporter.rows("?from=\(from)&to=\(to)")
        #expect(rows.map { $0["captured_at_ms"] as! Int64 } == (100..<110).map { Self.start + $0 * 60_000 - 500 })
        let text = try await exporter.rows("?from=2026-03-01T00:00:00Z&to=2026-03-01T00:10:00Z")
        #expect(text.count == 10)
    }

    @Test func `values are in natural units and secrets stay away`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.realtime)
        let id = RecordIdentifier(text: "0190a5f2-7c3e-7d1a-9b2c-5e8f00112233")!
        try exporter.take([
            try lane.block([
                TestRow(
                    kind: .feedback, device: 4711, received: Self.start, captured: Self.start - 5, seq: 88, id: id,
                    values: [
                        ColumnID.latitude: 38_666_700, ColumnID.rsrp: -843, ColumnID.loss: 5, ColumnID.networkType: 7,
                        ColumnID.roaming: 1, ColumnID.rating: 2, ColumnID.event: 0,
                    ], comment: "très, \"lent\"")
            ])
        ])
        let line = try await exporter.text("/v1/reports.ndjson")
        for part in [
            #""kind":"feedback""#, #""lane":"realtime""#, #""latitude":3.86667"#, #""rsrp_dbm":-84.3"#,
            #""loss_pct":0.05"#,
            #""network_type":"LTE""#, #""roaming":true"#, #""event":"call_drop""#, #""comment":"très, \"lent\"""#,
            #""id":"0190a5f2-7c3e-7d1a-9b2c-5e8f00112233""#, #""received_at_ms":1772323200000"#,
        ] { #expect(line.contains(part)) }
        #expect(!line.contains("seq") && !line.contains("4711"))
        let device = try await exporter.rows()[0]["device"] as! String
        #expect(device.count == 32)
        let csv = try await exporter.text("/v1/reports.csv")
        let names = csv.split(separator: "\r\n")[0].split(separator: ",")
        #expect(
            names.prefix(6) == ["cursor", "kind", "lane", "device", "id", "received_at_ms"] && !names.contains("seq"))
        #expect(csv.contains(#""très, ""lent""""#) && csv.contains("3.86667"))
    }

    @Test func `a comment plants no formula in a spreadsheet, and NDJSON and numbers stay as they are`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        let comments = ["=HYPERLINK(\"http://x\")", " +1", "lent;=1", "lent - très"]
        try exporter.take([
            try lane.block(
                comments.enumerated().map { place, comment in
                    TestRow(
                        kind: .feedback, device: 1, received: Self.start, captured: Self.start, seq: Int64(place) + 1,
                        values: [ColumnID.rating: 2, ColumnID.rsrp: -843], comment: comment)
                })
        ])
        let csv = try await exporter.text("/v1/reports.csv")
        for cell in [#","'=HYPERLINK(""http://x"")","#, ",' +1,", ",lent;'=1,", ",lent - très,", ",-84.3,"] {
            #expect(csv.contains(cell), "\(cell)")
        }
        #expect(try await exporter.rows().compactMap { $0["comment"] as? String } == comments)
    }

    @Test func `a devices pseudonym changes with the day`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        let rows = [0, 1, ReceivedDay.milliseconds].enumerated().map { place, later in
            TestRow(device: 9, received: Self.start + later, captured: Self.start, seq: Int64(place) + 1)
        }
        try exporter.take([try lane.block(rows)])
        let names = try await exporter.rows().map { $0["device"] as! String }
        #expect(names[0] == names[1] && names[1] != names[2])
    }

    @Test func `gzip is sent to who takes it`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let plain = try await exporter.text("/v1/reports.csv")
        let response = await exporter.request(
            "/v1/reports.csv", headers: [.authorization: "Bearer \(exporter.token)", .acceptEncoding: "br, gzip;q=0.8"])
        #expect(response.headers[.contentEncoding] == "gzip")
        var inflater = Inflater(format: .gzip, limit: 10_000_000)
        var text: [UInt8] = []
        try inflater.append(try await response.bytes(), into: &text)
        #expect(String(decoding: text, as: UTF8.self) == plain)
        #expect(
            !AcceptEncoding.allowsGzip("gzip;q=0, *") && AcceptEncoding.allowsGzip("*")
                && !AcceptEncoding.allowsGzip(nil))
    }

    @Test func `more downloads than allowed are refused and the next is taken`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory, settings: ["NKUL_EXPORTER_DOWNLOADS": "1"])
        do {
            let first = await exporter.request("/v1/reports.csv")
            let second = await exporter.request("/v1/reports.csv")
            #expect(second.status == .serviceUnavailable && second.headers[.retryAfter] != nil)
            _ = try await first.bytes()
        }
        // The permit goes with the last reference to the stream, which the thread that read may hold a moment longer.
        #expect(try await eventually { await exporter.request("/v1/reports.csv").status == .ok })
    }
}
