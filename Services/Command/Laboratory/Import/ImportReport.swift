internal import CommandSupport
internal import Foundation
internal import Models
internal import ServiceKit

/// What `nkul import` did, for people and programs.
struct ImportReport: Encodable {
    struct Rule: Encodable {
        let rule: String
        let outcome: String
        let count: Int
        let example: String
        let value: String
        let meaning: String
    }

    struct File: Encodable {
        let file: String
        let format: String
        let rows, taken, mended, left_out: Int
        /// Columns that are not read and how many values stand there.
        let unused_columns: [Column]
    }

    struct Column: Encodable {
        let column: String
        let values: Int
    }

    /// Missing if nothing was taken, so that nothing was written.
    let output: String?
    let devices: Int
    let rows, taken, mended, left_out: Int
    let files: [File]
    let rules: [Rule]

    init(_ ledger: ImportLedger, output: String?, devices: Int) {
        self.output = output
        self.devices = devices
        files = ledger.files.map {
            File(
                file: $0.file, format: $0.format, rows: $0.rows, taken: $0.taken, mended: $0.mended, left_out: $0.left,
                unused_columns: $0.unused.sorted { $0.key < $1.key }.map { Column(column: $0.key, values: $0.value) })
        }
        rows = files.reduce(0) { $0 + $1.rows }
        taken = files.reduce(0) { $0 + $1.taken }
        mended = files.reduce(0) { $0 + $1.mended }
        left_out = files.reduce(0) { $0 + $1.left_out }
        rules = ImportRule.allCases.compactMap { rule in
            ledger.entries[rule].map {
                Rule(
                    rule: rule.rawValue, outcome: rule.outcome.rawValue, count: $0.count, example: "\($0.example)",
                    value: $0.value, meaning: rule.words)
            }
        }
    }

    /// One line.
    var json: String {
        (try? SortedJSON.text(of: self)) ?? "{}"
    }

    /// Tables and a sum.
    var text: String {
        let fileRows = files.map {
            [$0.file, $0.format, "\($0.rows)", "\($0.taken)", "\($0.mended)", "\($0.left_out)"]
        }
        let ruleRows = rules.map {
            [
                $0.outcome.replacing("_", with: " "), "\($0.count)", $0.meaning,
                $0.value.isEmpty ? $0.example : "\($0.example) (\($0.value))",
            ]
        }
        let columnRows = files.flatMap { file in
            file.unused_columns.map { [file.file, $0.column, "\($0.values)"] }
        }
        let tables = [
            TextTable(["file", "format", "rows", "taken", "mended", "left out"], fileRows, right: [2, 3, 4, 5]),
            TextTable(["outcome", "count", "what was found and done", "first example"], ruleRows, right: [1]),
            TextTable(["file", "column that is not used", "values"], columnRows, right: [2]),
        ].filter { !$0.rows.isEmpty }
        let sum =
            "\(output ?? "nothing written"): \(taken + mended) rows of \(devices) devices (\(taken) as they were,"
            + " \(mended) mended); \(left_out) left out of \(rows)"
        return (tables.map(\.text) + [sum]).joined(separator: "\n\n")
    }
}
