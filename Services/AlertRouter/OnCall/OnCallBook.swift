internal import Channels
internal import Models
internal import OnCall
internal import ServiceKit

/// Schedules, escalations and planned work of all tenants, compiled. A value, changed when a document is.
struct OnCallBook {
    /// The kinds of its documents.
    static let kinds: [RecordKind] = [.escalation, .maintenance, .schedule]

    /// By `tenant/name`.
    private var schedules: [String: Schedule] = [:]
    /// By tenant, in the order of their names.
    private var escalations: [String: [Escalation]] = [:]
    private var works: [String: [Maintenance]] = [:]

    /// Whether there is nothing that an alarm could begin with.
    var isEmpty: Bool { escalations.isEmpty && works.isEmpty }

    /// Takes in a document, or its removal.
    ///
    /// - Parameter key: `tenant/name`.
    /// - Throws: ``DocumentRefusal``; then there is none of that name.
    mutating func put(_ kind: RecordKind, _ key: String, _ document: [UInt8]?) throws(DocumentRefusal) {
        let tenant = String(key.prefix { $0 != "/" }), id = String(key.dropFirst(tenant.count + 1))
        if kind == .schedule { schedules[key] = nil }
        if kind == .escalation { Self.replace(id, of: tenant, by: nil, in: &escalations, \.id) }
        if kind == .maintenance { Self.replace(id, of: tenant, by: nil, in: &works, \.id) }
        guard let document else { return }
        let value = (try? JSONValue(bytes: document)) ?? .null
        guard value["tenant"]?.string == tenant else {
            throw DocumentRefusal([DocumentProblem("tenant", "is another", allowed: "\"\(tenant)\"")])
        }
        switch kind {
        case .schedule: schedules[key] = try Schedule(compiling: value, id: id)
        case .escalation:
            Self.replace(id, of: tenant, by: try Escalation(compiling: value, id: id), in: &escalations, \.id)
        default: Self.replace(id, of: tenant, by: try Maintenance(compiling: value, id: id), in: &works, \.id)
        }
    }

    private static func replace<Document>(
        _ id: String, of tenant: String, by new: Document?, in all: inout [String: [Document]],
        _ name: (Document) -> String
    ) {
        let others = (all[tenant] ?? []).filter { name($0) != id } + [new].compactMap(\.self)
        all[tenant] = others.isEmpty ? nil : others.sorted { name($0) < name($1) }
    }

    /// The first escalation of a tenant that is for an alarm; none of one that another alarm speaks for.
    func escalation(for alarm: Alarm, servedBy serving: Set<PLMN>, of tenant: String) -> Escalation? {
        guard !alarm.isSpokenFor else { return nil }
        return escalations[tenant]?.first { $0.filter.takes(alarm, serving) }
    }

    func escalation(named id: String, of tenant: String) -> Escalation? {
        escalations[tenant]?.first { $0.id == id }
    }

    /// The planned work of a tenant during which an alarm comes; of several that which ends last.
    ///
    /// - Parameter id: the work that alone is looked at; nil for all.
    func planned(
        _ alarm: Alarm, servedBy serving: Set<PLMN>, of tenant: String, named id: String? = nil,
        at now: UnixMilliseconds
    ) -> AlarmHandling.Planned? {
        (works[tenant] ?? []).filter { (id == nil || $0.id == id) && $0.filter.takes(alarm, serving) }
            .compactMap { work in
                work.window(around: now).map {
                    AlarmHandling.Planned(maintenance: work.id, reason: work.reason, until: $0.upperBound)
                }
            }
            .max { $0.until ?? .min < $1.until ?? .min }
    }

    /// Whom a step calls at a moment; nobody if the schedule has nobody then, or is gone.
    func whom(_ step: Escalation.Step, of tenant: String, at now: UnixMilliseconds) -> AlarmHandlingCore.Called {
        switch step.target {
        case .contacts(let contacts): .init(contacts: contacts)
        case .channel(let channel): .init(channels: [channel])
        case .schedule(let name):
            .init(contacts: [schedules["\(tenant)/\(name)"]?.contact(at: now)].compactMap(\.self))
        }
    }
}

extension ChannelFilter {
    /// Whether it takes an alarm, as channels do.
    fileprivate func takes(_ alarm: Alarm, _ serving: Set<PLMN>) -> Bool {
        var networks = serving
        if let owner = alarm.key.owner, owner.scheme == Scope.plmn { networks.insert(PLMN(rawValue: owner.number)) }
        return takes(
            severity: alarm.severity, rule: alarm.problem.rule, networks: networks, place: alarm.key.subject.cell?.text)
    }
}
