import Models

/// Reads one dirty cell: what stands there, what it means, and which rules it took. Pure.
enum ImportCell {
    /// The stored value of a field, or nil with the reason noted.
    static func value(_ text: String, _ field: Field, _ ledger: inout ImportLedger) -> Int64? {
        guard let clean = clean(text, &ledger) else { return nil }
        guard let value = field.stored(clean) else {
            ledger.note(.unreadableValue, text)
            return nil
        }
        let rest = field.number(clean)?.rest ?? 0
        if rest != 0 { ledger.noteRounding(of: field.column, rest: rest) }
        return plausible(value, rest: rest, field, text, &ledger)
    }

    /// A decimal number of a column that is no field, times `scale`.
    static func number(_ text: String, scale: Int64, _ ledger: inout ImportLedger) -> Int64? {
        guard let clean = clean(text, &ledger) else { return nil }
        guard let value = DecimalText.stored(clean, scale: scale) else {
            ledger.note(.unreadableValue, text)
            return nil
        }
        return value
    }

    /// Unix milliseconds; nil for what is no number or lies outside of the years 1 to 9999, which RFC 3339 writes.
    static func time(_ text: String) -> UnixMilliseconds? {
        Int64(text).flatMap { (-62_135_596_800_000...253_402_300_799_999).contains($0) ? $0 : nil }
    }

    /// The value if it lies in the field's range; any accuracy, as that says what the position is worth
    /// (``ImportPlausibility``).
    ///
    /// - Parameter rest: sign of what rounding took away.
    static func plausible(
        _ value: Int64, rest: Int = 0, _ field: Field, _ text: String, _ ledger: inout ImportLedger
    ) -> Int64? {
        if field.contains(value, rest: rest) || field.column == ColumnID.accuracy { return value }
        ledger.note(
            field.column == ColumnID.loss && value >= 10_000 ? .lossOverHundred : .implausible, "\(field.name) \(text)")
        return nil
    }

    /// The cell without what typing and programmes left in it; nil where it says nothing.
    static func clean(_ text: String, _ ledger: inout ImportLedger) -> String? {
        var value = text
        if value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            ledger.note(.controlCharacter, escaped(text))
            value.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
        }
        if value.first == " " || value.last == " " {
            if value.contains(where: { $0 != " " }) { ledger.note(.untrimmed, escaped(text)) }
            value = String(value.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard !value.isEmpty, value != "-" else {
            ledger.note(.noValue, text)
            return nil
        }
        guard value.contains(where: { $0 != "_" && $0 != " " && $0 != "-" }) else {
            ledger.note(.placeholder, text)
            return nil
        }
        guard !isLeakedMaximum(value) else {
            ledger.note(.leakedMaximum, text)
            return nil
        }
        return numeric(value, text, &ledger)
    }

    /// Android's "unavailable" (2³¹ − 1), also as `2147483647.0`.
    static func isLeakedMaximum(_ text: String) -> Bool { DecimalText.stored(text, scale: 1) == Int64(Int32.max) }

    /// What is meant to be a number, as one; other text as it is.
    private static func numeric(_ value: String, _ text: String, _ ledger: inout ImportLedger) -> String? {
        guard value.contains(where: \.isNumber),
            value.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.,oO ".contains($0)) })
        else { return value }
        guard !value.contains(" ") else {
            ledger.note(.splitNumber, text)
            return nil
        }
        var number = value
        if number.contains(where: { $0 == "o" || $0 == "O" }) {
            ledger.note(.letterForDigit, text)
            number = String(number.map { $0 == "o" || $0 == "O" ? "0" : $0 })
        }
        if number.count(where: { $0 == "," }) == 1, !number.contains(".") {
            ledger.note(.decimalComma, text)
            number = number.replacing(",", with: ".")
        }
        return number
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map {
            $0.properties.generalCategory == .control ? "\\u{\(String($0.value, radix: 16))}" : "\($0)"
        }
        .joined()
    }
}
