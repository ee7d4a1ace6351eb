import Foundation
import Models
import QoE
import Testing
import Wire

@testable import Ingest
@testable import IngestUploads

/// A value is read the same at every door: `Tests/Fixtures/values.tsv` says as what. `nkul import` is held to the same table by the
/// suite of that name in `CommandTests`.
@Suite struct SpellingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let field, text: String
        let stored: Int64?

        var testDescription: String { "\(field) \"\(text)\"" }
    }

    static let cases: [Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/values.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Case(field: cells[0], text: cells[1], stored: Int64(cells[2]))
        }
    }()

    @Test func `the table has cases`() { #expect(Self.cases.count > 100) }

    @Test(arguments: cases) func `a value is read the same at every door`(value: Case) throws {
        let quoted = "\"" + value.text + "\""
        try check(value, "in quotes", try json(value, quoted))
        try check(
            value, "with escapes", try json(value, "\"" + value.text.unicodeScalars.map(Self.escaped).joined() + "\""))
        try check(value, "in a line", try lines(value, quoted))
        for separator in [",", ";", "\t", "|"] where !value.text.contains(separator) && value.text != "5,5" {
            try check(value, "in a cell", try csv(value, value.text, separator))
            try check(value, "in a quoted cell", try csv(value, quoted, separator))
        }
        try check(value, "in a quoted cell", try csv(value, quoted, ","))
        // A name that is not in quotes is no JSON.
        let isNumber = value.text.wholeMatch(of: /[+-]?[0-9.]+([eE][+-]?[0-9]+)?/) != nil || value.text == "true"
        if isNumber || value.stored == nil && !value.text.contains(where: { " ,;".contains($0) }) {
            try check(value, "bare", try json(value, value.text))
        }
    }

    private func check(_ value: Case, _ door: String, _ upload: Upload) throws {
        let column = try #require(RecordKind.report.field(named: value.field)).column
        #expect(upload.rejections.isEmpty && upload.value(ColumnID.speed) == 100, "\(value.testDescription) \(door)")
        #expect(upload.value(column) == value.stored, "\(value.testDescription) \(door)")
        #expect(
            upload.leftOut[0]?.map(\.field) == (value.stored == nil ? [value.field] : nil),
            "\(value.testDescription) \(door): \(upload.leftOut)")
    }

    private func json(_ value: Case, _ text: String) throws -> Upload {
        try Reading.upload(#"{"seq":1,"captured_at_ms":\#(Reading.now),"\#(value.field)":\#(text),"speed_mps":1}"#)
    }

    private func lines(_ value: Case, _ text: String) throws -> Upload {
        let good = #"{"seq":2,"captured_at_ms":\#(Reading.now),"cqi":1}"#
        return try Reading.upload(
            #"{"seq":1,"captured_at_ms":\#(Reading.now),"\#(value.field)":\#(text),"speed_mps":1}"# + "\n" + good)
    }

    private func csv(_ value: Case, _ text: String, _ separator: String) throws -> Upload {
        let rows = [["seq", "captured_at_ms", value.field, "speed_mps"], ["1", "\(Reading.now)", text, "1"]]
        return try Reading.upload(rows.map { $0.joined(separator: separator) }.joined(separator: "\n"), format: .csv)
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
            + String(scalar.value, radix: 16)
    }

    @Test(
        arguments: [
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("2017-01-01T00:59:60.5+01:00", 1_483_228_800_500),
            ("2026-11-27T10:17:60Z", nil), ("2016-12-31T23:59:60+01:00", nil), ("2016-12-31T23:58:60Z", nil),
            ("2016-12-31T23:59:61Z", nil),
        ] as [(String, Int64?)])
    func `a second 60 is a leap second, at the end of a day of UTC`(text: String, time: Int64?) throws {
        let upload = try Reading.upload(#"[{"seq":1,"captured_at":"\#(text)","cqi":1},{"seq":2,"captured_at_ms":5}]"#)
        #expect(upload.rejections.map(\.code) == (time == nil ? [.badFormat] : []))
        if let time { #expect(upload.value(ColumnID.capturedAt) == time) }
    }

    @Test(
        arguments: [
            (#""latitude":-90.00000004,"longitude":9"#, ["latitude", "longitude"]),
            (#""latitude":-90,"longitude":180.0"#, []),
            (#""latitude":4,"longitude":180.00000000000000000000001"#, ["longitude", "latitude"]),
            (#""loss_pct":100.004"#, ["loss_pct"]), (#""loss_pct":"100.004""#, ["loss_pct"]),
            (#""loss_pct":-0.001"#, ["loss_pct"]),
            (#""loss_pct":100.00"#, []), (#""loss_pct":99.999"#, []),
            (#""download_kbps":10000000.4"#, ["download_kbps"]),
            (#""latency_ms":-0.04"#, ["latency_ms"]), (#""latency_ms":0.04"#, []), (#""latency_ms":-0.0"#, []),
            (#""network_type":"LTE","rsrp_dbm":-42.96"#, ["rsrp_dbm"]), (#""network_type":"NR","rsrp_dbm":-42.96"#, []),
            (#""rsrp_dbm":-42.96"#, []), (#""rsrp_dbm":-42.96,"network_type":"LTE""#, ["rsrp_dbm"]),
            (#""network_type":"LTE","rsrp_dbm":-43.04"#, []),
            (#""network_type":"LTE","rsrp_dbm":-140.04"#, ["rsrp_dbm"]),
        ] as [(String, [String])])
    func `ranges are those of the value, not of what it is rounded to`(fields: String, left: [String]) throws {
        #expect(try Reading.leftOut(fields).map(\.field) == left)
    }
}
