import AnalyticsExporter
import ExporterOperations
import Models

/// What operators of the house ask of the exporter while a run goes on: tenants and campaigns that come and go, and what contacts do
/// about alarms. Each change is
/// asked for again until the exporter has committed it.
final class SimulatedOperators {
    private enum Change {
        case add(ReferenceTenant)
        case remove(String)
        case set(ReferenceCampaign)
        case callOff(String)
        /// Of rules and channels, by their names.
        case put(String, ReferenceDocument)
        case takeAway(String, RecordKind)
        /// What ``contacts`` draw.
        case act
    }

    private static let networks = ["62401", "62402", "20815", "310410"]

    private unowned let simulation: Simulation
    let contacts: SimulatedContacts
    private var changes: [Change] = []
    /// When each is asked for first.
    private var times: [Int64] = []
    private var waiting: Set<Int> = []
    private var script: OperationsScript?
    /// Of rules and channels: of one the next change is asked for when the one before is committed.
    private var documents: [String: [Int]] = [:]
    /// Told which document says what.
    var noteDocument: (ReferenceDocument, [UInt8]) -> Void = { _, _ in }
    /// The exporter's thread, to be told that something waits.
    var wake: () -> Void = {}
    /// Tenants that are there, in the order in which they came.
    private(set) var tenants: [ReferenceTenant] = []
    /// Tenants that were removed.
    private(set) var removed: [ReferenceTenant] = []

    init(in simulation: Simulation) {
        self.simulation = simulation
        contacts = SimulatedContacts(in: simulation)
    }

    /// True once nothing waits for the exporter.
    var areDone: Bool { waiting.isEmpty }

    /// Plans what they will ask for.
    func start(from begin: Int64, span: Int64) {
        for number in 0..<simulation.random.within(2...4) {
            let name = "tenant\(number)", joins = begin + Int64(simulation.random.below(Int(span)))
            let networks = (0..<simulation.random.within(1...2)).map { _ in simulation.random.pick(Self.networks) }
            let isRegulator = simulation.random.chance(150)
            plan(.add(ReferenceTenant(name: name, networks: Set(networks), isRegulator: isRegulator)), at: joins)
            if simulation.random.chance(250) {
                plan(.remove(name), at: joins + Int64(simulation.random.below(5000)))
            }
        }
        for _ in 0..<simulation.random.below(5) {
            let id = simulation.random.pick(["a", "b"]), at = begin + Int64(simulation.random.below(Int(span)))
            plan(simulation.random.chance(150) ? .callOff(id) : .set(campaign(id)), at: at)
        }
        for time in contacts.times(from: begin, span: span) { plan(.act, at: time) }
        for change in simulation.rules?.changes ?? [] {
            documents[change.id, default: []].append(changes.count)
            plan(
                change.rule.map { .put(change.id, .rule($0)) } ?? .takeAway(change.id, .rule), at: begin + change.at)
        }
        for change in simulation.channels?.changes ?? [] {
            documents[change.id, default: []].append(changes.count)
            plan(
                change.channel.map { .put(change.id, .channel($0)) } ?? .takeAway(change.id, .channel),
                at: begin + change.at)
        }
    }

    /// The exporter has started.
    func take(_ script: OperationsScript) {
        self.script = script
    }

    /// The exporter has committed something.
    func noteDone() {
        for ticket in script?.takeDone() ?? [] {
            guard waiting.remove(ticket) != nil else { continue }
            switch changes[ticket] {
            case .add(let tenant): tenants.append(tenant)
            case .remove(let name):
                removed += tenants.filter { $0.name == name }
                tenants.removeAll { $0.name == name }
                simulation.note(.tenantRemoved)
            case .set, .callOff: break
            case .put(let id, _), .takeAway(let id, _): documents[id]?.removeAll { $0 == ticket }
            case .act: contacts.noteDone(ticket)
            }
        }
    }

    /// What the run knows of it, for a backup.
    var knowledge: BackedUpKnowledge.OfOperators { .init(tenants: tenants, removed: removed, waiting: waiting) }

    /// The exporter is lost with its home. What it had done since the backup is asked for again, or some of it: who was
    /// added is added again.
    func goBack(to knowledge: BackedUpKnowledge.OfOperators) {
        (tenants, removed, script) = (knowledge.tenants, knowledge.removed, nil)
        for ticket in knowledge.waiting.subtracting(waiting).sorted() {
            if case .add = changes[ticket] {} else if simulation.random.chance(500) { continue }
            waiting.insert(ticket)
            let time = max(times[ticket], simulation.clock.now + Int64(simulation.random.below(3000)))
            simulation.timeline.at(time) { [self] in try ask(ticket) }
        }
    }

    private func campaign(_ id: String) -> ReferenceCampaign {
        ReferenceCampaign(
            id: id, amount: simulation.random.pick([25, 50, 100]), dailyMaximum: simulation.random.pick([0, 1, 2]),
            networks: simulation.random.chance(400) ? [simulation.random.pick(Self.networks)] : [],
            isActive: simulation.random.chance(850))
    }

    private func plan(_ change: Change, at time: Int64) {
        let ticket = changes.count
        changes.append(change)
        times.append(time)
        waiting.insert(ticket)
        simulation.timeline.at(time) { [self] in try ask(ticket) }
    }

    private func ask(_ ticket: Int) throws {
        guard waiting.contains(ticket) else { return }
        switch changes[ticket] {
        case .add(let tenant):
            try script?.addTenant(
                tenant.name, plmns: tenant.networks.sorted(), isRegulator: tenant.isRegulator, ticket: ticket)
        case .remove(let name) where tenants.contains { $0.name == name }:
            try script?.removeTenant(name, ticket: ticket)
        case .remove: break
        case .set(let campaign): try script?.set(campaign.document, ticket: ticket)
        case .callOff(let id): try script?.removeCampaign(id, ticket: ticket)
        case .put(let id, let document) where documents[id]?.first == ticket:
            let record = try document.record(id)
            noteDocument(document, record.document ?? [])
            try script?.set(record, ticket: ticket)
        case .takeAway(let id, let kind) where documents[id]?.first == ticket:
            try script?.remove(id, of: kind, ticket: ticket)
        case .put, .takeAway: break
        case .act:
            guard let command = try contacts.command(ticket) else {
                waiting.remove(ticket)
                return
            }
            for _ in 0...(contacts.isRepeated() ? 1 : 0) { try script?.act(command, ticket: ticket) }
        }
        wake()
        simulation.timeline.after(simulation.random.within(500...3000)) { [self] in try ask(ticket) }
    }
}

/// What operators set under a name.
enum ReferenceDocument {
    case rule(ReferenceRule)
    case channel(ReferenceTelling.Channel)

    fileprivate func record(_ id: String) throws -> OperationRecord {
        switch self {
        case .rule(let rule): try OperationRecord(.rule, key: id, rule.document)
        case .channel(let channel): try OperationRecord(.channel, key: id, channel.document)
        }
    }
}

extension ReferenceCampaign {
    var document: CampaignDocument {
        CampaignDocument(
            id: id, amountXAF: Int64(amount), dailyMaximum: Int64(dailyMaximum), operators: networks.sorted(), from: 0,
            to: .max, isActive: isActive)
    }

    init(_ document: CampaignDocument) {
        self.init(
            id: document.id, amount: Int(document.amountXAF), dailyMaximum: Int(document.dailyMaximum),
            networks: Set(document.operators), isActive: document.isActive)
    }
}
