import Foundation
import IngestUploads
import Models
import QoE
import Testing
import Wire

@testable import Ingest

/// A CSV is read however its header is written, or refused by name: nothing of it is lost in silence.
@Suite struct CSVHeaderTests {
    /// A CSV as some program might write it, and what is in it.
    private struct Sheet {
        var header: [String] = []
        var rows: [[String]] = []
        /// By known column, of each row.
        var values: [String: [String]] = [:]
        var unknown: [String] = []
        var twice: String?
        var separator = ","
        var encoding = "UTF-8"
        var lineEnd = "\n"

        init(_ random: inout SplitMix64) {
            separator = [",", ";", "\t", "|"].randomElement(using: &random)!
            lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &random)!
            encoding = ["UTF-8", "UTF-8 BOM", "UTF-16LE", "UTF-16BE", "UTF-16LE BOM", "UTF-16BE BOM"].randomElement(
                using: &random)!
            let count = Int.random(in: 1...5, using: &random)
            rows = Array(repeating: [], count: count)
            var columns = ["seq", "captured_at_ms", "latency_ms", "cqi", "mcc", "network_type", "rsrp_dbm"]
                .filter { ["seq", "captured_at_ms", "latency_ms"].contains($0) || Bool.random(using: &random) }
            columns += ["colour", "ÄÖÜ", "rat", "lat"].filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            columns.shuffle(using: &random)
            for name in columns { add(name, &random) }
            if Int.random(in: 0..<4, using: &random) == 0 {
                twice = values.keys.sorted().randomElement(using: &random)!
                add(twice!, &random)
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                for row in rows.indices { rows[row].append("") }
                if Bool.random(using: &random) { header.append("") }
            }
        }

        private mutating func add(_ name: String, _ random: inout SplitMix64) {
            header.append(
                written(String(name.map { Bool.random(using: &random) ? Character($0.uppercased()) : $0 }), &random))
            let isKnown = RecordKind.report.field(named: name) != nil || name == "captured_at_ms"
            if !isKnown { unknown.append(name.lowercasedInASCII) }
            for row in rows.indices {
                let value = Self.value(of: name, row, &random)
                if isKnown { values[name, default: []].append(value) }
                let hasComma = separator != "," && name == "latency_ms" && Bool.random(using: &random)
                rows[row].append(written(hasComma ? value.replacing(".", with: ",") : value, &random))
            }
        }

        private static func value(of name: String, _ row: Int, _ random: inout SplitMix64) -> String {
            switch name {
            case "seq": "\(row + 1)"
            case "captured_at_ms": "\(Reading.now - Int64.random(in: 0...1_000_000, using: &random))"
            case "latency_ms": "\(Int.random(in: 1...999, using: &random)).\(Int.random(in: 1...9, using: &random))"
            case "cqi": "\(Int.random(in: 0...15, using: &random))"
            case "mcc": ["624", "624.0", "0624"].randomElement(using: &random)!
            case "network_type": ["LTE", "lte", "4G", "LTE-CA", "5G NSA"].randomElement(using: &random)!
            case "rsrp_dbm": "-\(Int.random(in: 60...120, using: &random))"
            default: ["", "x", "é", "1"].randomElement(using: &random)!
            }
        }

        private func written(_ text: String, _ random: inout SplitMix64) -> String {
            func blanks(_ random: inout SplitMix64) -> String { ["", "", " ", "  "].randomElement(using: &random)! }
            let isQuoted = text.contains(separator) || Int.random(in: 0..<3, using: &random) == 0
            return blanks(&random) + (isQuoted ? "\"\(blanks(&random))\(text)\"" : text) + blanks(&random)
        }

        var bytes: [UInt8] {
            let text = ([header] + rows).map { $0.joined(separator: separator) }.joined(separator: lineEnd) + lineEnd
            let marked = encoding.hasSuffix("BOM") ? "\u{FEFF}" + text : text
            guard encoding.hasPrefix("UTF-16") else { return Array(marked.utf8) }
            return marked.utf16.flatMap { unit in
                let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
                return encoding.hasPrefix("UTF-16LE") ? bytes : bytes.reversed()
            }
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `a sheet is read whatever its separator, encoding and names look like, or refused by name`(seed: UInt64) throws
    {
        var random = SplitMix64(seed: seed, name: "sheets")
        let sheet = Sheet(&random), said: Comment = "\(sheet)"
        if let twice = sheet.twice {
            let problem = Reading.problem(sheet.bytes, format: .csv)
            #expect(problem?.code == "duplicate_column" && problem?.field == twice, said)
            return
        }
        let upload = try Reading.upload(sheet.bytes, format: .csv)
        #expect(upload.rejections.isEmpty && upload.leftOut.isEmpty && upload.rowCount == sheet.rows.count, said)
        for (name, values) in sheet.values {
            let field = RecordKind.report.field(named: name == "captured_at_ms" ? "captured_at" : name)!
            for (row, value) in values.enumerated() {
                let wanted = Int64((Double(value) ?? 0) * Double(field.scale) + (value.hasPrefix("-") ? -0.5 : 0.5))
                let stored = upload.value(field.column, row)
                #expect(name == "network_type" ? stored != nil : stored == wanted, "\(name) \(value): \(said)")
            }
        }
        #expect(upload.unknownColumns?.names ?? [] == sheet.unknown, said)
        #expect(upload.unknownColumns?.count ?? 0 == sheet.unknown.count, said)
    }

    @Test func `a header with blanks and capitals names its columns`() throws {
        let text = """
            id,captured_at_ms, latitude, longitude, MCC, mnc, network_type, RSRP_dBm, latency_ms
            0b6f1f0e-6f0b-4f7a-9d0a-5a9f0c1d2e3f,\(Reading.now), 4.05, 9.77, 624, 1, LTE, -95, 40
            """
        let upload = try Reading.upload(text, format: .csv)
        #expect(upload.value(ColumnID.rsrp) == -950 && upload.value(ColumnID.mcc) == 624)
        #expect(upload.value(ColumnID.latitude) == 40_500_000 && upload.unknownColumns == nil)
    }

    @Test(arguments: [
        ("a;b;c\n1;2;3", "UTF-8 separated by semicolons: 3 columns, a, b, c"),
        ("lat,lon\n1,2", "UTF-8 separated by commas"),
        ("lat\tlon\n1\t2", "separated by tabs"), ("lat|lon", "separated by bars"),
        ("hello\nworld", "one column, hello"),
    ])
    func `what names no column is refused with what was seen`(text: String, words: String) {
        let problem = Reading.problem(Array(text.utf8), format: .csv)
        #expect(
            problem?.code == "no_csv_header" && problem?.detail?.contains(words) == true, "\(problem?.detail ?? "")")
        let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let other = Reading.problem(wide, format: .csv)
        #expect(other?.detail?.contains("UTF-16 (little-endian)") == true, "\(other?.detail ?? "")")
    }

    @Test func `a text in UTF-16 is bounded by what it is in UTF-8`() throws {
        // Three bytes each in UTF-8, two here.
        let wide = "seq,captured_at_ms,comment\n1,5," + String(repeating: "€", count: 400_000)
        let bytes = wide.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(bytes.count < 1_000_000 && wide.utf8.count > 1_000_000)
        #expect(Reading.problem(bytes, format: .csv)?.code == "inflated_too_large")
    }

    @Test func `an upload with too many values that are left out has the rows behind them rejected`() throws {
        let fields = ["rsrp_dbm", "rsrq_db", "sinr_db", "latency_ms", "download_kbps"], rows = 10_000
        let text =
            "seq,captured_at_ms,cqi," + fields.joined(separator: ",") + "\n"
            + (1...rows).map { "\($0),\(Reading.now),3,x,x,x,x,x\n" }.joined()
        let upload = try Reading.upload(Array(text.utf8), format: .csv, reader: UploadReader(.qoe))
        #expect(upload.leftOut.values.reduce(0) { $0 + $1.count } <= LeftOutValue.most)
        #expect(upload.rejections.count + upload.columns.rowCount == rows && upload.rejections.count >= 1_000)
        #expect(upload.byteCount > LeftOutValue.most * MemoryLayout<LeftOutValue>.stride / 2)
    }

    @Test func `half a character of UTF-16 is refused with the encoding`() {
        for bytes in [[0x73, 0, 0x65, 0, 0x71] as [UInt8], [0xFF, 0xFE, 0x73, 0, 0x00, 0xD8, 0x0A, 0]] {
            let problem = Reading.problem(bytes, format: .csv)
            #expect(problem?.code == "nothing_readable" && problem?.detail?.contains("UTF-16") == true)
        }
    }

    @Test func `unknown columns are counted and named in the receipt, and again`() throws {
        let bench = try EngineBench()
        let names = (1...20).map { "Column \($0)" }
        let text =
            "seq,captured_at_ms,cqi," + names.joined(separator: ",") + "\n1,\(Reading.now),3"
            + String(repeating: ",", count: 20)
        let receipt = try bench.receipt(try Reading.upload(text, format: .csv))
        let listed = names.prefix(16).map { "\"\($0.lowercased())\"" }.joined(separator: ",")
        let body = String(decoding: receipt.body, as: UTF8.self)
        #expect(
            body.hasSuffix(#""rejected":0,"items":[],"unknown_columns":{"count":20,"names":[\#(listed)]}}"#), "\(body)")
        let again = try bench.receipt(try Reading.upload(text, format: .csv))
        #expect(again.isRepeated && again.body == receipt.body)
    }

    @Test func `empty cells behind the last column may be there or not`() throws {
        let upload = try Reading.upload(
            "seq,captured_at_ms,cqi,,\n1,5,3\n2,5,3,\n3,5,3,,,,\n4,5,3,,,,x\n5,5", format: .csv)
        #expect((0..<upload.columns.rowCount).map { upload.value(ColumnID.seq, $0) } == [1, 2, 3])
        #expect(upload.rejections.map(\.code) == [.wrongWidth, .wrongWidth])
    }
}

extension String {
    /// With the capitals of ASCII, and no others, in lower case.
    fileprivate var lowercasedInASCII: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { (65...90).contains($0.value) ? Unicode.Scalar($0.value + 32)! : $0 }))
    }
}
