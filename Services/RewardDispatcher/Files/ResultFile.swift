internal import Models

/// What became of orders, as somebody tells it in a file: CSV with a header that has `reference` and `result`, and may have
/// `amount_xaf` and `note`; other columns are passed over. Separated by commas, or by semicolons as a French Excel does.
struct ResultFile: Sendable {
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

    /// One row that cannot be used, and why.
    struct Problem: Sendable, Equatable, Encodable {
        let line: Int
        let what: String
    }

    private(set) var rows: [Row] = []
    private(set) var problems: [Problem] = []

    init(_ text: String) {
        // CR and LF together are one character.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        let first = (lines.first ?? "").replacing("\u{FEFF}", with: "")
        let separator: Character = first.contains(";") && !first.contains(",") ? ";" : ","
        let names = Self.fields(first, separator)?.map { $0.lowercased() } ?? []
        guard let reference = names.firstIndex(of: "reference"), let result = names.firstIndex(of: "result") else {
            problems.append(Problem(line: 1, what: "the header has no columns reference and result"))
            return
        }
        let amount = names.firstIndex(of: "amount_xaf"), note = names.firstIndex(of: "note")
        for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
            guard let fields = Self.fields(line, separator), fields.count == names.count else {
                problems.append(Problem(line: index + 1, what: "has not \(names.count) fields, as the header has"))
                continue
            }
            take(
                index + 1, reference: fields[reference], result: fields[result], amount: amount.map { fields[$0] },
                note: note.map { fields[$0] } ?? "")
        }
    }

    private mutating func take(_ line: Int, reference: String, result: String, amount: String?, note: String) {
        guard reference.utf8.count == 32, reference.allSatisfy(\.isHexDigit) else {
            problems.append(Problem(line: line, what: "reference is not 32 hexadecimal digits"))
            return
        }
        guard let word = Result(rawValue: result.lowercased()) else {
            let words = Result.allCases.map(\.rawValue).joined(separator: ", ")
            problems.append(Problem(line: line, what: "result is \"\(result.prefix(32))\"; expected one of \(words)"))
            return
        }
        let number = amount.flatMap { $0.isEmpty ? nil : $0 }
        guard number == nil || Int64(number!) != nil else {
            problems.append(Problem(line: line, what: "amount_xaf is not a whole number"))
            return
        }
        rows.append(
            Row(
                line: line, reference: PaymentReference(stored: reference.lowercased()), result: word,
                amount: number.flatMap { Int64($0) }, note: String(note.prefix(100))))
    }

    /// The fields of a line without blanks around them; nil if a quote is left open.
    private static func fields(_ line: String, _ separator: Character) -> [String]? {
        var fields: [String] = [], field = "", isQuoted = false, wasQuote = false
        for character in line {
            if isQuoted {
                if character == "\"" { (isQuoted, wasQuote) = (false, true) } else { field.append(character) }
                continue
            }
            if character == "\"" {
                if wasQuote { field.append("\"") }
                isQuoted = true
            } else if character == separator {
                fields.append(field.trimmed)
                field = ""
            } else {
                field.append(character)
            }
            wasQuote = false
        }
        return isQuoted ? nil : fields + [field.trimmed]
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count))
    }
}
