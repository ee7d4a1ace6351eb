import AlarmRules
import Models
import ServiceKit

/// An example inside a rule's document: rows, and the alarms that they are to raise.
///
/// `{"name": "three phones", "rows": [{"at_s": 0, "device": 1, "event": "no_service", "mcc": 624, …}], "until_s": 7200,
/// "expect": [{"raised_s": 120, "cleared_s": 1920, "severity": "major"}]}`. A row has `at_s`, `device`, maybe `kind` and `late_s`, and
/// fields by the names of the device API. All the time somebody is heard whom no rule looks at.
struct RuleExample {
    let name: String
    private let rows: [(at: Int64, arrives: Int64, row: RuleRow, values: [UInt8: Int64])]
    private let until: Int64
    private let expected: [JSONValue]

    /// A Monday, 00:00 UTC.
    static let start: UnixMilliseconds = 1_772_409_600_000

    /// - Throws: `ServiceError` naming the member that is wrong.
    init(_ value: JSONValue, at path: String, _ programmes: Programmes) throws {
        func fault(_ member: String, _ what: String) -> ServiceError {
            ServiceError(.usage, "\(path)\(member) \(what)")
        }
        let known: Set = ["name", "rows", "until_s", "expect"]
        if let other = value.object?.keys.sorted().first(where: { !known.contains($0) }) {
            throw fault(".\(other)", "is unknown; expected one of \(known.sorted().joined(separator: ", "))")
        }
        guard let name = value["name"]?.string else { throw fault(".name", "is no text") }
        guard let rows = value["rows"]?.array else { throw fault(".rows", "is no array") }
        guard let expected = value["expect"]?.array else { throw fault(".expect", "is no array") }
        guard let until = value["until_s"]?.integer, (0...2_592_000).contains(until) else {
            throw fault(".until_s", "is not 0…2592000")
        }
        self.name = name
        self.until = until
        self.expected = expected
        self.rows = try rows.enumerated().map { index, row in
            do { return try Self.row(row, programmes) } catch let error as ServiceError {
                throw fault(".rows[\(index)]", error.message)
            }
        }.sorted { $0.arrives < $1.arrives }
    }

    private static func row(
        _ value: JSONValue, _ programmes: Programmes
    ) throws -> (at: Int64, arrives: Int64, row: RuleRow, values: [UInt8: Int64]) {
        guard let members = value.object, let at = value["at_s"]?.integer, let device = value["device"]?.integer,
            let ordinal = UInt32(exactly: device)
        else { throw ServiceError(.usage, "has no at_s or no device, whole numbers") }
        let name = value["kind"]?.string ?? programmes.kinds[0].kind.name
        guard let kind = programmes.kind(named: name), let programme = programmes.programme(of: kind.kind.id) else {
            throw ServiceError(.usage, "has kind \(name), which there is not")
        }
        var values: [UInt8: Int64] = [:]
        for (name, member) in members where !["at_s", "late_s", "device", "kind"].contains(name) {
            guard let field = kind.kind.field(named: name) else {
                throw ServiceError(.usage, "has \(name), which is no field")
            }
            guard let stored = field.stored(member.string ?? member.text) else {
                throw ServiceError(.usage, "has \(name) \(member.text), which is no value of it")
            }
            values[field.column] = stored
        }
        let time = start + at * 1_000
        let row = RuleRowReader(kind, of: programme).row(device: ordinal, eventAt: time) { values[$0] }
        return (at, at + (value["late_s"]?.integer ?? 0), row, values)
    }

    /// What differs between the alarms that the rows raise and those expected; nil if nothing does.
    func difference(_ rule: AlarmRule) -> String? {
        var engine = RuleEngine([rule]), last: [String: RuleTransition] = [:]
        var order: [String] = []
        func take(_ transitions: [RuleTransition]) {
            for one in transitions {
                let name = "\(one.owner.text) \(one.subject.text) \(one.episode)"
                if last.updateValue(one, forKey: name) == nil { order.append(name) }
            }
        }
        var heard: Int64 = 0
        for one in rows {
            while heard <= one.arrives {
                engine.hear(at: Self.start + heard * 1_000)
                heard += 300
            }
            take(engine.advance(to: Self.start + one.arrives * 1_000))
            take(engine.add(one.row) { one.values[$0] })
        }
        for minute in stride(from: 0, through: until + 600, by: 300) { engine.hear(at: Self.start + minute * 1_000) }
        take(engine.advance(to: Self.start + until * 1_000))
        let found = order.map { Self.json(last[$0]!) }.map(\.text).sorted()
        let wanted = expected.map(\.text).sorted()
        return found == wanted
            ? nil : "found \(found.joined(separator: " ")), expected \(wanted.joined(separator: " "))"
    }

    private static func json(_ one: RuleTransition) -> JSONValue {
        var members: [String: JSONValue] = [
            "raised_s": .integer((one.raisedAt - start) / 1_000), "severity": .string(one.severity.rawValue),
        ]
        if let cleared = one.clearedAt { members["cleared_s"] = .integer((cleared - start) / 1_000) }
        return .object(members)
    }
}
