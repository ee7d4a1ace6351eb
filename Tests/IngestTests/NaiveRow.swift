import Foundation
import Models
import QoE

/// A record read the slow and obvious way, with Foundation: what the fast parser is compared with.
struct NaiveRow {
    var values: [UInt8: Int64] = [:]
    var texts: [UInt8: String] = [:]
    /// Scaled numbers before they are rounded.
    private var exact: [UInt8: Decimal] = [:]
    /// Fields whose value cannot be.
    var left: Set<UInt8> = []
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
        }
        if values[ColumnID.latitude] == 0 && values[ColumnID.longitude] == 0 { left.insert(ColumnID.latitude) }
        if values[ColumnID.cellID] == 2_147_483_647 { left.insert(ColumnID.cellID) }
        let type = values[ColumnID.networkType].flatMap(NetworkType.init(rawValue:))
        for (column, value) in values {
            guard let field = RecordKind.feedback.field(column) else { continue }
            let range = type.flatMap { RadioRange.range(of: column, on: $0) } ?? field.range
            let number = exact[column] ?? Decimal(value)
            let isPlausible = number >= Decimal(range.lowerBound) && number <= Decimal(range.upperBound)
            if !isPlausible && column != ColumnID.capturedAt { left.insert(column) }
        }
        if !left.isDisjoint(with: [ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy]) {
            left.formUnion([ColumnID.latitude, ColumnID.longitude])
        }
        if !left.isDisjoint(with: [ColumnID.id, ColumnID.seq, ColumnID.capturedAt]) { isAccepted = false }
        for column in left { (values[column], texts[column]) = (nil, nil) }
        if texts[ColumnID.id] == nil && values[ColumnID.seq] == nil { isAccepted = false }
        if values[ColumnID.capturedAt] == nil || values[ColumnID.rating] == nil { isAccepted = false }
    }

    private mutating func read(_ field: Field, _ value: NaiveValue?) {
        guard let value, value != .null else { return }
        switch field.representation {
        case .identifier:
            guard let id = value.text.flatMap(UUID.init(uuidString:)) else { return leave(field) }
            texts[field.column] = id.uuidString
        case .number(let scale):
            guard let number = value.number ?? value.text.flatMap({ Decimal(string: $0) }), value.text != "-84;-84"
            else {
                return leave(field)
            }
            guard abs(number) < 1_000_000_000_000_000 else { return leave(field) }
            var scaled = number * Decimal(scale), rounded = Decimal()
            NSDecimalRound(&rounded, &scaled, 0, .plain)
            if scale == 1 && field.unit.isEmpty && rounded != scaled { return leave(field) }
            values[field.column] = NSDecimalNumber(decimal: rounded).int64Value
            exact[field.column] = number * Decimal(scale)
        case .digits:
            if let text = value.text {
                guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return leave(field) }
                values[field.column] = Int64(text)
            } else if let whole = value.integer {
                values[field.column] = whole
            } else {
                leave(field)
            }
        case .choice(let choices):
            let code = value.text.flatMap { choices.code(of: $0) } ?? value.integer.flatMap { choices.numbers[$0] }
            guard let code else { return leave(field) }
            values[field.column] = code
        case .flag:
            guard case .flag(let flag) = value else { return leave(field) }
            values[field.column] = flag ? 1 : 0
        case .instant:
            guard let text = value.text else { return leave(field) }
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            guard let date = formatter.date(from: text) else { return leave(field) }
            values[field.column] = Int64((date.timeIntervalSince1970 * 1000).rounded())
        case .text(let limit):
            guard let text = value.text, text.count <= limit else { return leave(field) }
            texts[field.column] = text
        }
    }
    private mutating func leave(_ field: Field) { left.insert(field.column) }
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
