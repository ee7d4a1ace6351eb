/// One record as a phone means it: names and natural units of the device API, nothing of the product's types.
public struct ReferenceRecord: Sendable, Equatable {
    /// A value as it stands in JSON.
    public enum Value: Sendable, Equatable {
        case number(Double)
        case text(String)
        case flag(Bool)
    }

    /// `report` or `feedback`.
    public var kind: String
    /// What the record says, without `captured_at_ms`'s correction or anything the server adds.
    public var fields: [String: Value]

    public init(kind: String, fields: [String: Value]) {
        self.kind = kind
        self.fields = fields
    }

    /// The number of a field, if it has one.
    public func number(_ name: String) -> Double? {
        if case .number(let value)? = fields[name] { return value }
        return nil
    }

    /// The text of a field, if it has one.
    public func text(_ name: String) -> String? {
        if case .text(let value)? = fields[name] { return value }
        return nil
    }

    /// The record as a JSON object, fields in order of their names.
    public var json: String {
        let members = fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(Self.json($0.value))" }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func json(_ value: Value) -> String {
        switch value {
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
        case .text(let text): "\"\(text)\""
        case .flag(let flag): flag ? "true" : "false"
        }
    }
}
