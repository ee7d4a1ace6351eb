import Foundation
import Models
import QoE

/// A record read the slow and obvious way, with Foundation: what the fast parser is compared with.
struct NaiveRow {
    var values: [UInt8: Int64] = [:]
    var texts: [UInt8: String] = [:]
    var isAccepted = true

    init(_ text: String) {
        guard let json = try? JSONDecoder().decode([String: NaiveValue].self, from: Data(text.utf8)) else {
            isAccepted = false
            return
        }
        for field in RecordKind.feedback.fields { read(field, json[field.name]) }
        if let time = json["captured_at_ms"]?.integer { values[ColumnID.capturedAt] = time }
        if let face = json["emoji"]?.text, values[ColumnID.rating] == nil {
            values[ColumnID.rating] = ["😡", "😕", "😐", "🙂", "😍"].firstIndex(of: face).map { Int64($0 + 1) }
            if values[ColumnID.rating] == nil { isAccepted = false }
        }
        if texts[ColumnID.id] == nil && values[ColumnID.seq] == nil { isAccepted = false }
        if values[ColumnID.capturedAt] == nil || values[ColumnID.rating] == nil { isAccepted = false }
        if values[ColumnID.latitude] == 0 && values[ColumnID.longitude] == 0 { isAccepted = false }
        if values[ColumnID.cellID] == 2_147_483_647 { isAccepted = false }
        let type = values[ColumnID.networkType].flatMap(NetworkType.init(rawValue:))
        for (column, value) in values {
            guard let field = RecordKind.feedback.field(column) else { continue }
            let range = type.flatMap { RadioRange.range(of: column, on: $0) } ?? field.range
            if !range.contains(value) && column != ColumnID.capturedAt { isAccepted = false }
        }
    }

    private mutating func read(_ field: Field, _ value: NaiveValue?) {
        guard let value, value != .null else { return }
        switch field.representation {
        case .identifier:
            guard let id = value.text.flatMap(UUID.init(uuidString:)) else { return isAccepted = false }
            texts[field.column] = id.uuidString
        case .number(let scale):
            guard let number = value.number else { return isAccepted = false }
            guard abs(number) < 1_000_000_000_000_000 else { return isAccepted = false }
            var scaled = number * Decimal(scale), rounded = Decimal()
            NSDecimalRound(&rounded, &scaled, 0, .plain)
            if scale == 1 && field.unit.isEmpty && rounded != scaled { return isAccepted = false }
            values[field.column] = NSDecimalNumber(decimal: rounded).int64Value
        case .digits:
            if let text = value.text {
                guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return isAccepted = false }
                values[field.column] = Int64(text)
            } else if let whole = value.integer {
                values[field.column] = whole
            } else {
                isAccepted = false
            }
        case .choice(let choices):
            let code = value.text.flatMap { choices.code(of: $0) } ?? value.integer.flatMap { choices.numbers[$0] }
            guard let code else { return isAccepted = false }
            values[field.column] = code
        case .flag:
            guard case .flag(let flag) = value else { return isAccepted = false }
            values[field.column] = flag ? 1 : 0
        case .instant:
            guard let text = value.text else { return isAccepted = false }
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            guard let date = formatter.date(from: text) else { return isAccepted = false }
            values[field.column] = Int64((date.timeIntervalSince1970 * 1000).rounded())
        case .text(let limit):
            guard let text = value.text, text.count <= limit else { return isAccepted = false }
            texts[field.column] = text
        }
    }
}

/// A JSON value as `JSONDecoder` understands it.
enum NaiveValue: Decodable, Equatable {
    case null, other
    case flag(Bool)
    case number(Decimal)
    case text(String)

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let flag = try? single.decode(Bool.self) {
            self = .flag(flag)
        } else if let text = try? single.decode(String.self) {
            self = .text(text)
        } else if let number = try? single.decode(Decimal.self) {
            self = .number(number)
        } else {
            self = .other
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Decimal? { if case .number(let number) = self { number } else { nil } }
    /// A whole number, nil if it has a fraction or is too large.
    var integer: Int64? { number.flatMap { Int64("\($0)") } }
}
