internal import Models

/// Sentences about what is wrong with a row, for the phone's author.
package enum RowDetail {
    /// Android's `CellInfo.UNAVAILABLE`, its long form, and their negative twins.
    static func isSentinel(_ value: Int64, scale: Int64) -> Bool {
        let natural = value / scale
        return (natural == 2_147_483_647 || natural == -2_147_483_648) && value % scale == 0
            || value >= 9_223_372_036_854_775_000 || value <= -9_223_372_036_854_775_000
    }

    static func sentinel(_ value: String) -> String {
        "\(value) means that there is no value; leave the field out instead"
    }

    static func range(_ value: Int64, _ field: Field, _ range: ClosedRange<Int64>) -> String {
        let unit = field.unit.isEmpty ? "" : " \(field.unit)"
        return "\(number(value, scale: field.scale)) is not within \(number(range.lowerBound, scale: field.scale))…"
            + "\(number(range.upperBound, scale: field.scale))\(unit)"
    }

    /// - Parameter field: its name, nil if none is at fault.
    static func text(_ code: RowCode, value: String, offset: Int, field: String? = nil) -> String {
        switch code {
        case .malformed: value.isEmpty ? "not readable at byte \(offset)" : "not readable at byte \(offset): \(value)"
        case .notAnObject: "a record is an object, this is \(value)"
        case .wrongType: "\(describe(value)) does not belong here"
        case .badFormat:
            field == "captured_at"
                ? "\(value) is no time of RFC 3339, e.g. 2026-03-01T10:00:00+01:00"
                : "\(value) is no UUID, e.g. 0195f2c4-7a10-7c3e-9d2b-5a9f0c1d2e3f"
        case .unknownValue: "\(value) is not a value of the field"
        case .notWhole: "\(value) is not a whole number"
        case .badText: "broken UTF-8, a broken escape or a raw control character at byte \(offset)"
        case .tooDeep: "nested too deep at byte \(offset)"
        case .tooWide: "more members than a record may have at byte \(offset)"
        case .wrongWidth: "the row does not have as many cells as the header"
        default: "\(value) is not plausible"
        }
    }

    private static func describe(_ value: String) -> String {
        switch value.utf8.first {
        case UInt8(ascii: "["): "a list"
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "\""): "the text \(value)"
        default: value
        }
    }

    /// A stored value in its natural unit.
    package static func number(_ value: Int64, scale: Int64) -> String {
        guard scale > 1 else { return String(value) }
        let whole = value / scale, rest = abs(value % scale)
        guard rest != 0 else { return String(whole) }
        let digits = String(rest), width = String(scale).utf8.count - 1
        let padded = String(repeating: "0", count: width - digits.utf8.count) + digits
        return (value < 0 && whole == 0 ? "-0." : "\(whole).")
            + padded.reversed().drop { $0 == "0" }.reversed().map(String.init).joined()
    }
}
