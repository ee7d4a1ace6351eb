internal import Models
internal import OpenFormats

/// What became of orders, as somebody tells it in a file: CSV with a header that has `reference` and `result`, and may have
/// `amount_xaf` and `note`; other columns are passed over. Separated by commas, or by semicolons as a French Excel does.
struct ResultFile: Sendable {
    /// After so many rows at fault nothing more is read.
    private static let mostFaults = 10_000

    enum Result: String, Sendable, CaseIterable {
        case paid, failed, rejected, reversed
    }

    /// One row that can be read.
    struct Row: Sendable, Equatable {
        /// Of the file, the header is 1.
        let line: Int
        let reference: PaymentReference
        let result: Result
        /// Whole XAF; nil if the file does not say.
        let amount: Int64?
        let note: String
    }

    private(set) var rows: [Row] = []
    private(set) var problems = RowProblems()

    init(_ text: String) {
        // The header has no quotes that could hold either.
        let header = text.prefix { !$0.isNewline }
        let separator: UInt8 = header.contains(";") && !header.contains(",") ? UInt8(ascii: ";") : CSVReader.comma
        var csv = CSVReader(CSVText(text), separator: separator), row = CSVRow()
        guard let columns = Self.next(&csv, &row, &problems) ? Columns(row.texts) : nil else {
            problems.add(1, "the header has no columns reference and result")
            return
        }
        while Self.next(&csv, &row, &problems) {
            guard row.count > 1 || !row[0].allSatisfy(\.isWhitespace) else { continue }
            guard row.count == columns.count else {
                problems.add(row.line, "has \(row.count) fields, and not \(columns.count) as the header has")
                continue
            }
            take(row, columns)
        }
    }

    /// The next row that can be read; false at the end.
    private static func next(_ csv: inout CSVReader, _ row: inout CSVRow, _ problems: inout RowProblems) -> Bool {
        while true {
            do { return try csv.read(&row) } catch {
                problems.add(row.line, (error as? CSVFault)?.message ?? "\(error)")
                guard problems.count < mostFaults, (try? csv.passFaultyLine()) == true else {
                    problems.add(row.line + 1, "is not read any more, nor what follows: too much before it is at fault")
                    return false
                }
            }
        }
    }

    private mutating func take(_ row: CSVRow, _ columns: Columns) {
        let reference = row[columns.reference].trimmed, result = row[columns.result].trimmed
        guard reference.utf8.count == 32, reference.allSatisfy(\.isHexDigit) else {
            return problems.add(row.line, "reference is not 32 hexadecimal digits")
        }
        guard let word = Result(rawValue: result.lowercased()) else {
            let words = Result.allCases.map(\.rawValue).joined(separator: ", ")
            let masked = ProviderText.masked(String(result.prefix(32)))
            return problems.add(row.line, "result is \"\(masked)\"; expected one of \(words)")
        }
        let number = columns.amount.map { row[$0].trimmed }.flatMap { $0.isEmpty ? nil : $0 }
        guard number == nil || Int64(number!) != nil else {
            return problems.add(row.line, "amount_xaf is not a whole number")
        }
        let note = columns.note.map { ProviderText.masked(row[$0].trimmed) } ?? ""
        rows.append(
            Row(
                line: row.line, reference: PaymentReference(stored: reference.lowercased()), result: word,
                amount: number.flatMap { Int64($0) }, note: note))
    }

    /// Where a file has what it says.
    private struct Columns {
        let count: Int
        let reference, result: Int
        let amount, note: Int?

        /// - Parameter names: of the header; nil if it lacks one that is needed.
        init?(_ names: [String]) {
            let names = names.map { $0.trimmed.lowercased() }
            guard let reference = names.firstIndex(of: "reference"), let result = names.firstIndex(of: "result") else {
                return nil
            }
            count = names.count
            (self.reference, self.result) = (reference, result)
            (amount, note) = (names.firstIndex(of: "amount_xaf"), names.firstIndex(of: "note"))
        }
    }
}

/// Rows of a file that cannot be used, and why: all are counted, the first are named.
struct RowProblems: Sendable, Equatable {
    struct Problem: Sendable, Equatable, Encodable {
        /// Of the file, the header is 1.
        let line: Int
        let what: String
    }

    /// So many are named.
    static let mostNamed = 100

    private(set) var count = 0
    /// The first by their lines.
    private(set) var named: [Problem] = []

    mutating func add(_ line: Int, _ what: String) {
        count += 1
        let place = named.firstIndex { $0.line > line } ?? named.endIndex
        guard place < Self.mostNamed else { return }
        named.insert(Problem(line: line, what: what), at: place)
        if named.count > Self.mostNamed { named.removeLast() }
    }
}

extension String {
    /// Without blanks around it.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count))
    }
}
