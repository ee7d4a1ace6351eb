import Foundation
import IngestUploads
import Models
import QoE
import Seeds
import Testing
import Wire

/// The fast parser against ``NaiveRow`` on random records, good and bad.
@Suite struct ParserPropertyTests {
    @Test(arguments: 0..<UInt64(Seeds.share(of: 20))) func `json rows are read as a naive reader reads them`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let rows = (0..<200).map { RandomRow($0, &random).json(&random) }
        let upload = try Reading.upload("[" + rows.joined(separator: ",") + "]", kind: .feedback)
        try compare(upload, rows)
        let lines = try Reading.upload(
            rows.map { $0.replacing("\n", with: " ") }.joined(separator: "\n"), kind: .feedback)
        #expect(lines.columns == upload.columns && lines.places == upload.places)
    }

    @Test(arguments: 0..<20) func `csv rows are read as JSON rows are`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed + 1_000)
        let rows = (0..<200).map { RandomRow($0, &random, valid: true) }
        let json = try Reading.upload("[" + rows.map { $0.json(&random) }.joined(separator: ",") + "]", kind: .feedback)
        var names = Set(rows.flatMap { $0.fields.map(\.name) }).sorted()
        names.shuffle(using: &random)
        let lines = [names.joined(separator: ",")] + rows.map { $0.csv(names, &random) }
        let end = ["\n", "\r\n", "\r"].randomElement(using: &random)!
        let csv = try Reading.upload(lines.joined(separator: end), kind: .feedback, format: .csv)
        #expect(json.rejections.isEmpty && csv.rejections.isEmpty)
        #expect(csv.columns == json.columns && csv.identities == json.identities)
    }

    private func compare(_ upload: Upload, _ rows: [String]) throws {
        let naive = rows.map(NaiveRow.init)
        let accepted = naive.indices.filter { naive[$0].isAccepted }
        guard upload.places.map(Int.init) == accepted else {
            let wrong = Set(accepted).symmetricDifference(upload.places.map(Int.init)).sorted()
            for row in wrong.prefix(3) {
                Issue.record("\(rows[row]): \(upload.rejections.first { $0.row == row }.map { "\($0)" } ?? "accepted")")
            }
            return
        }
        for (place, row) in accepted.enumerated() {
            for field in RecordKind.feedback.fields {
                switch field.storage {
                case .integer, .delta:
                    #expect(
                        upload.value(field.column, place) == naive[row].values[field.column],
                        "\(field.name): \(rows[row])")
                case .bytes: #expect(upload.text(field.column, place) == naive[row].texts[field.column])
                case .fixed16:
                    let id = upload.columns[field.column]?.value(place).map { bytes in
                        bytes.withUnsafeBytes {
                            NSUUID(uuidBytes: $0.bindMemory(to: UInt8.self).baseAddress!).uuidString
                        }
                    }
                    #expect(id == naive[row].texts[field.column])
                }
            }
        }
    }
}
