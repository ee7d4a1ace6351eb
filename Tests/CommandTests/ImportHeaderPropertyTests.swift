import Foundation
import Models
import QoE
import Testing

@testable import Command
@testable import Laboratory

/// However a file is written, its values are taken, counted, or refused by name.
struct ImportHeaderPropertyTests {
    private static let values = [
        "latitude": "4.0511", "longitude": "9.7679", "mcc": "624", "mnc": "1", "network_type": "LTE",
        "rsrp_dbm": "-95.5", "latency_ms": "40", "rating": "4", "comment": "très bien; \"vraiment\", oui",
    ]
    private static let unknown = ["Mood", "Qualité", "x y", "n°", "rsrp"]

    /// A file as some program might write it.
    private struct Sample: CustomStringConvertible {
        var header: [String] = []
        var cells: [String] = []
        var separator = ","
        var encoding = 0
        var lineEnd = "\n"
        var quotesAll = false
        var endsWithSeparator = false
        var mark = false
        var duplicate: String?

        init(_ random: inout SplitMix64) {
            let hasPlace = random.chance(0.8)
            var columns = values.sorted { $0.key < $1.key }.filter { name, _ in
                name == "latitude" || name == "longitude" ? hasPlace : random.chance(0.8)
            }.map { ($0.key, $0.value) }
            columns.append(("captured_at", "2026-11-27T10:00:00Z"))
            columns += unknown.filter { _ in random.chance(0.3) }.map { ($0, "7") }
            if random.chance(0.2) {
                columns.append(columns[random.index(below: columns.count)])
                duplicate = columns.last?.0
            }
            for _ in columns.indices { columns.swapAt(random.index(below: columns.count), 0) }
            for (name, value) in columns {
                header.append(Self.disguised(name, &random))
                cells.append(random.chance(0.3) && name != "comment" ? " \(value) " : value)
            }
            separator = [",", ";", "\t", "|"][random.index(below: 4)]
            encoding = random.index(below: 4)
            lineEnd = ["\n", "\r\n", "\r"][random.index(below: 3)]
            quotesAll = random.chance(0.5)
            endsWithSeparator = random.chance(0.3)
            mark = random.chance(0.5)
        }

        private static func disguised(_ name: String, _ random: inout SplitMix64) -> String {
            let cased = random.chance(0.3) ? name.uppercased() : random.chance(0.3) ? name.capitalized : name
            return random.chance(0.3) ? "  \(cased) " : cased
        }

        var text: String {
            [header, cells].map { row in
                row.map { cell in
                    quotesAll || cell.contains(separator) || cell.contains("\"")
                        ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
                }.joined(separator: separator) + (endsWithSeparator ? separator : "") + lineEnd
            }.joined()
        }

        /// UTF-8, UTF-16 of both orders, Windows-1252.
        var bytes: [UInt8] {
            let units = Array(((mark ? "\u{FEFF}" : "") + text).utf16)
            switch encoding {
            case 1: return units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            case 2: return units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            case 3: return text.unicodeScalars.map { UInt8($0.value) }
            default: return Array(((mark ? "\u{FEFF}" : "") + text).utf8)
            }
        }

        var description: String { "encoding \(encoding), mark \(mark): \(text)" }
    }

    @Test(arguments: 0..<400)
    func `a header in any dress gives the same row`(number: Int) throws {
        var random = SplitMix64(seed: UInt64(number), name: "headers")
        let sample = Sample(&random)
        let names = sample.header.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        if let duplicate = sample.duplicate, !Self.unknown.contains(duplicate) {
            let error = #expect(throws: RecordingError.self, "\(sample)") { try FieldSamples.read(sample.bytes) }
            #expect("\(try #require(error))".contains("column \(duplicate) twice"), "\(sample)")
            return
        }
        guard Self.values.keys.contains(where: { $0 != "comment" && names.contains($0) }) else { return }
        let (rows, ledger) = try FieldSamples.read(sample.bytes)
        let row = try #require(rows.first, "\(sample)").row
        #expect(row.capturedAt == 1_795_773_600_000)
        for (name, value) in Self.values where names.contains(name) {
            let field = try #require(RecordKind.feedback.field(named: name))
            let isOfFeedback = name == "rating" || name == "comment"
            guard !isOfFeedback || row.kind == .feedback else { continue }
            let expected = field.isText ? value : field.text(try #require(field.stored(value)))
            let found = row.texts[field.column] ?? row.values[field.column].map(field.text)
            #expect(found == expected, "\(name): \(sample)")
        }
        let passed = Set(ledger.files[0].unused.keys.map { $0.lowercased() })
        #expect(passed == Set(Self.unknown.map { $0.lowercased() }.filter(names.contains)), "\(sample)")
    }
}
