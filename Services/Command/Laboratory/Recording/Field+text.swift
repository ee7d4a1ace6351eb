import CommandSupport
import Foundation
import Models

extension Field {
    /// The stored value of a cell, read as the device API reads it; nil if it is none. Ranges are not looked at; identifiers and text
    /// have no number.
    package func stored(_ cell: String) -> Int64? {
        let text = cell.trimmingCharacters(in: Self.blanks)
        switch representation {
        case .number: return number(cell)?.value
        case .digits: return DecimalText.stored(text, scale: 1, isWhole: true)
        case .choice(let choices):
            return choices.code(of: text)
                ?? DecimalText.stored(text, scale: 1, isWhole: true).flatMap { choices.numbers[$0] }
        case .flag:
            if let flag = ["true": 1, "false": 0][text.lowercased()] { return Int64(flag) }
            return DecimalText.stored(text, scale: 1, isWhole: true).flatMap { (0...1).contains($0) ? $0 : nil }
        case .instant: return Int64(text) ?? Timestamp.milliseconds(text)
        case .identifier, .text: return nil
        }
    }

    /// The stored value of a cell with a number, and the sign of what rounding took away; nil if it is none, or the field no number.
    func number(_ cell: String) -> (value: Int64, rest: Int)? {
        guard case .number(let scale) = representation else { return nil }
        return DecimalText.read(cell.trimmingCharacters(in: Self.blanks), scale: scale, isWhole: isWhole)
    }

    /// Whether a value lies in the field's range as it was written, before it was rounded.
    func contains(_ value: Int64, rest: Int = 0) -> Bool {
        range.contains(value, rest: rest)
    }

    private static let blanks = CharacterSet(charactersIn: " \t")

    /// The text of a stored value, as CSV and messages have it.
    func text(_ stored: Int64) -> String {
        switch representation {
        case .number(let scale): DecimalText.text(stored, scale: scale)
        case .choice(let choices): choices.name(of: stored) ?? "\(stored)"
        case .flag: stored == 0 ? "false" : "true"
        case .digits, .instant, .identifier, .text: "\(stored)"
        }
    }

    /// Whether cells of the field are text, not a number.
    var isText: Bool {
        switch representation {
        case .identifier, .text: true
        default: false
        }
    }
}

extension ClosedRange<Int64> {
    /// Whether it has a value as it was written, before it was rounded.
    ///
    /// - Parameter rest: sign of what rounding took away.
    func contains(_ value: Int64, rest: Int) -> Bool {
        contains(value) && !(rest > 0 && value == upperBound) && !(rest < 0 && value == lowerBound)
    }
}
