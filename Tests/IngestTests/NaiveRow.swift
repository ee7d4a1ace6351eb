import Foundation
import Models

/// A record read the slow and obvious way, with Foundation: what the fast parser is compared with.
struct NaiveRow {
    var values: [UInt8: Int64] = [:]
    var texts: [UInt8: String] = [:]
    var isAccepted = true

    init(_ text: String) {
        guard let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            isAccepted = false
            return
        }
        for field in RecordKind.feedback.fields { read(field, json[field.name]) }
        if let time = json["captured_at_ms"] as? NSNumber { values[ColumnID.capturedAt] = time.int64Value }
        if let face = json["emoji"] as? String, values[ColumnID.rating] == nil {
            values[ColumnID.rating] = ["😡", "😕", "😐", "🙂", "😍"].firstIndex(of: face).map { Int64($0 + 1) }
            if values[ColumnID.rating] == nil { isAccepted = false }
        }
        if texts[ColumnID.id] == nil && values[ColumnID.seq] == nil { isAccepted = false }
        if values[ColumnID.capturedAt] == nil || values[ColumnID.rating] == nil { isAccepted = false }
        if values[ColumnID.latitude] == 0 && values[ColumnID.longitude] == 0 { isAccepted = false }
        let type = values[ColumnID.networkType].flatMap(NetworkType.init(rawValue:))
        for (column, value) in values {
            guard let field = RecordKind.feedback.field(column) else { continue }
            let range = type.flatMap { RadioRange.range(of: column, on: $0) } ?? field.range
            if !range.contains(value) && column != ColumnID.capturedAt { isAccepted = false }
        }
    }

    private mutating func read(_ field: Field, _ value: Any?) {
        guard let value, !(value is NSNull) else { return }
        switch field.representation {
        case .identifier:
            guard let id = (value as? String).flatMap(UUID.init(uuidString:)) else { return isAccepted = false }
            texts[field.column] = id.uuidString
        case .number(let scale):
            guard let number = number(value) else { return isAccepted = false }
            var scaled = number * Decimal(scale), rounded = Decimal()
            NSDecimalRound(&rounded, &scaled, 0, .plain)
            if scale == 1 && field.unit.isEmpty && rounded != scaled { return isAccepted = false }
            values[field.column] = NSDecimalNumber(decimal: rounded).int64Value
        case .digits:
            if let text = value as? String {
                guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return isAccepted = false }
                values[field.column] = Int64(text)
            } else if let number = number(value), let whole = Int64("\(number)") {
                values[field.column] = whole
            } else {
                isAccepted = false
            }
        case .choice(let choices):
            let code = (value as? String).flatMap { choices.code(of: $0) } ?? number(value).flatMap { choices.numbers[NSDecimalNumber(decimal: $0).int64Value] }
            guard let code else { return isAccepted = false }
            values[field.column] = code
        case .flag:
            guard let flag = value as? Bool else { return isAccepted = false }
            values[field.column] = flag ? 1 : 0
        case .instant:
            guard let text = value as? String else { return isAccepted = false }
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            guard let date = formatter.date(from: text) else { return isAccepted = false }
            values[field.column] = Int64((date.timeIntervalSince1970 * 1000).rounded())
        case .text(let limit):
            guard let text = value as? String, text.count <= limit else { return isAccepted = false }
            texts[field.column] = text
        }
    }

    /// Exactly, through the number's text: `JSONSerialization` gives a Double.
    private func number(_ value: Any) -> Decimal? {
        guard let number = value as? NSNumber, !(value is Bool) else { return nil }
        return Decimal(string: "\(number)")
    }
}
