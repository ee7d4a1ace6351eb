internal import Models
internal import OnCall
internal import ServiceKit

/// What a document comes to, from now on.
struct OnCallCheck {
    static let days = 1...92
    static let usualDays = 7

    private let now: UnixMilliseconds
    private let period: Range<UnixMilliseconds>
    private let schedules: [String: Schedule]

    init(now: UnixMilliseconds, days: Int64, schedules: [(key: String, document: [UInt8])], tenant: String) throws {
        self.now = now
        period = now..<now + days * 86_400_000
        var compiled: [String: Schedule] = [:]
        for (key, document) in schedules {
            let name = String(key.dropFirst(tenant.count + 1))
            compiled[name] = try Schedule(compiling: try JSONValue(bytes: document), id: name)
        }
        self.schedules = compiled
    }

    func answer(_ kind: OnCallKind, _ id: String, _ document: JSONValue) throws -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "now": .string(Timestamp.text(now)), "now_ms": .integer(now),
        ]
        switch kind {
        case .schedule:
            guard let schedule = schedules[id] else { throw kind.unknown(id, document["tenant"]?.string ?? "") }
            members["zone"] = .string(schedule.zone.name)
            members["on_call"] = schedule.contact(at: now).map { .string($0) } ?? .null
            members["turns"] = .array(schedule.turns(in: period).map(turn))
        case .escalation: members["steps"] = .array(steps(try Escalation(compiling: document, id: id)))
        case .maintenance:
            let work = try Maintenance(compiling: document, id: id)
            members["active"] = .bool(work.window(around: now) != nil)
            members["windows"] = .array(work.windows(in: period).map { .object(span($0)) })
        }
        return .object(members)
    }

    private func turn(_ turn: Schedule.Turn) -> JSONValue {
        .object(span(turn.period).merging(["contact": turn.contact.map { .string($0) } ?? .null]) { $1 })
    }

    private func span(_ period: Range<UnixMilliseconds>) -> [String: JSONValue] {
        [
            "from": .string(Timestamp.text(period.lowerBound)), "to": .string(Timestamp.text(period.upperBound)),
            "from_ms": .integer(period.lowerBound), "to_ms": .integer(period.upperBound),
        ]
    }

    /// Whom an alarm that is raised now would call, and when.
    private func steps(_ escalation: Escalation) -> [JSONValue] {
        var time = now
        return escalation.steps.map { step in
            time += step.wait
            var members: [String: JSONValue] = ["at": .string(Timestamp.text(time)), "at_ms": .integer(time)]
            switch step.target {
            case .contacts(let names): members["contacts"] = .array(names.map { .string($0) })
            case .channel(let name): members["channel"] = .string(name)
            case .schedule(let name):
                members["schedule"] = .string(name)
                members["contacts"] = .array(
                    [schedules[name]?.contact(at: time)].compactMap(\.self).map { .string($0) })
            }
            return .object(members)
        }
    }
}
