import Foundation
import Models
import QoE

/// A feedback record with random fields, as a phone might write it.
struct RandomRow {
    /// Name and value as JSON.
    var fields: [(name: String, value: String)] = []

    init(_ seq: Int, _ random: inout SplitMix64, valid: Bool = false) {
        fields.append(("seq", "\(seq + 1)"))
        fields.append(("captured_at_ms", "\(Int.random(in: 1...2_000_000_000_000, using: &random))"))
        fields.append(("rating", "\(Int.random(in: 1...5, using: &random))"))
        for field in RecordKind.feedback.fields.dropFirst(4) where Bool.random(using: &random) {
            if let value = Self.value(field, &random, valid: valid) { fields.append((field.name, value)) }
        }
        if !valid, Int.random(in: 0..<4, using: &random) == 0 { spoil(&random) }
    }

    func json(_ random: inout SplitMix64) -> String {
        func space() -> String { ["", "", " ", "\n", "\t "].randomElement(using: &random)! }
        return "{"
            + fields.shuffled(using: &random).map {
                "\(space())\"\($0.name)\"\(space()):\(space())\($0.value)\(space())"
            }.joined(separator: ",") + "}"
    }

    func csv(_ names: [String], _ random: inout SplitMix64) -> String {
        names.map { name in
            guard let value = fields.first(where: { $0.name == name })?.value else { return "" }
            let object = try? JSONSerialization.jsonObject(with: Data("[\(value)]".utf8)) as? [Any]
            guard let text = object?.first as? String else { return value }
            let quoted = text.contains(where: { "\",\r\n".contains($0) || $0.isNewline }) || Bool.random(using: &random)
            return quoted ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
        }.joined(separator: ",")
    }

    private mutating func spoil(_ random: inout SplitMix64) {
        let bad = [
            "2147483647", "\"-84;-84\"", "[1,2]", "{}", "-1e30", "1e999999", "true", "\"\"", "\"2147483647\"",
            "-2147483648", "0.5",
        ]
        let field = RecordKind.feedback.fields.filter { $0.name != "comment" && $0.name != "prompt_id" }.randomElement(
            using: &random)!
        fields.removeAll { $0.name == field.name }
        fields.append((field.name, bad.randomElement(using: &random)!))
    }

    private static func value(_ field: Field, _ random: inout SplitMix64, valid: Bool) -> String? {
        switch field.representation {
        case .identifier: return "\"\(UUID.random(&random).uuidString.lowercased())\""
        case .number(let scale):
            guard field.column != ColumnID.longitude, field.column != ColumnID.pci else { return nil }
            return decimal(Int64.random(in: narrow(field), using: &random), scale, &random)
        case .digits:
            let number = Int64.random(
                in: max(1, field.range.lowerBound)...min(999, field.range.upperBound), using: &random)
            return Bool.random(using: &random) ? "\"00\(number)\"" : "\(number)"
        case .choice(let choices):
            if let number = choices.numbers.keys.sorted().randomElement(using: &random), Bool.random(using: &random) {
                return "\(number)"
            }
            let name = choices.aliases.keys.sorted().randomElement(using: &random)!
            return "\"\(Bool.random(using: &random) ? name.lowercased() : name)\""
        case .flag: return Bool.random(using: &random) ? "true" : "false"
        case .instant: return nil
        case .text:
            let pieces = [
                "a", "é", "\\u00e9", "\\\"", "\\\\", "\\n", "👨‍👩‍👧‍👦", "\\ud83d\\ude21", ",", " ", "\u{85}", "/", "\\/",
            ]
            return "\"" + "x"
                + (0..<Int.random(in: 0...20, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined() + "\""
        }
    }

    /// What is plausible on every network type.
    private static func narrow(_ field: Field) -> ClosedRange<Int64> {
        switch field.column {
        case ColumnID.rsrp: -1400 ... -450
        case ColumnID.rssi: -1130 ... -510
        default: field.range
        }
    }

    /// A stored value as decimal text, in one of many spellings of the same number.
    private static func decimal(_ value: Int64, _ scale: Int64, _ random: inout SplitMix64) -> String {
        let digits = "\(scale)".count - 1, sign = value < 0 ? "-" : ""
        let whole = abs(value) / scale, rest = abs(value) % scale
        guard digits > 0 else { return "\(value)" }
        let fraction = String(repeating: "0", count: digits - "\(rest)".count) + "\(rest)"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return "\(sign)\(whole).\(fraction)"
        case 1: return "\(sign)\(whole).\(fraction)0"
        case 2: return "\(sign)\(abs(value))e-\(digits)"
        default: return "\(sign)\(whole).\(fraction)3"
        }
    }
}
