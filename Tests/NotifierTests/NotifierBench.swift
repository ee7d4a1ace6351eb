import Channels
import Foundation
import GRDB
import Lanes
import Models
import NotifierMessages
import NotifierSending
import ServiceKit
import Storage
import SubjectRights
import Wire

@testable import Notifier

/// An engine with the notifier's effects over a database that outlives it; who sends is the test.
final class NotifierBench {
    static let start: UnixMilliseconds = 1_750_000_000_000

    let database: ServiceDatabase
    let keys: NotifierKeys
    var settings: NotifierSettings
    private(set) var engine: EffectEngine
    private(set) var effects: NotifierEffects
    private let outlet = Outlet()
    private var numbers: [LaneName: UInt64] = [:]
    private var handlings: [String: AlarmHandling] = [:]
    /// Blocks that wait for the others of their transaction.
    private var gathered: [LaneBlock]?
    /// The time of the next step.
    var now = NotifierBench.start
    var reports: [NotifierReport] { outlet.reports }

    private final class Outlet {
        var calls: [(number: UInt64, call: OutgoingCall)] = []
        var questions: [(number: UInt64, call: OutgoingQuestion)] = []
        var reports: [NotifierReport] = []
        var uptime: Int64 = 0
    }

    init(_ settings: NotifierSettings = NotifierSettings(), path: String = ":memory:") throws {
        database = try ServiceDatabase(path: path, migrations: NotifierEffects.migrations)
        keys = try NotifierKeys(
            current: [UInt8](repeating: 7, count: 32), vapid: [UInt8](repeating: 9, count: 32), contact: "mailto:a@b.cm"
        )
        self.settings = settings
        (engine, effects) = try Self.open(database, settings, keys, outlet)
    }

    /// As after a kill: what was in memory is gone, what was committed is there.
    func restart() throws {
        (outlet.calls, outlet.questions) = ([], [])
        (engine, effects) = try Self.open(database, settings, keys, outlet)
    }

    private static func open(
        _ database: ServiceDatabase, _ settings: NotifierSettings, _ keys: NotifierKeys, _ outlet: Outlet
    ) throws -> (EffectEngine, NotifierEffects) {
        let effects = try NotifierEffects(
            database, settings, keys, random: { 0 }, uptime: { outlet.uptime },
            report: { outlet.reports.append($0) }, carryOut: { outlet.calls += $0 },
            ask: { outlet.questions += $0 })
        let journal = try Journal(lane: .deliveries, in: database, newGeneration: { 5 })
        let engine = try EffectEngine(
            database: database, reads: NotifierEffects.subscriptions, journals: [journal],
            effects: SubjectRightsEffects(
                effects, effects.subjects(), database: database, journals: [journal],
                key: ReceiptKey(secret: [UInt8](repeating: 3, count: 32), service: "notifier")))
        return (engine, effects)
    }

    /// Rows of a kind on its lane; nil documents are keys that are gone.
    func give(
        _ kind: RecordKind, on lane: LaneName, _ rows: [(key: String, document: String?)], networks: [String?]? = nil
    ) throws {
        var columns = [
            Column(id: ColumnID.key, strings: rows.map { Array($0.key.utf8) }),
            Column(id: ColumnID.document, strings: rows.map { $0.document.map { Array($0.utf8) } }),
        ]
        if let networks {
            columns.append(Column(id: ColumnID.networks, strings: networks.map { $0.map { Array($0.utf8) } }))
        }
        try give(kind, on: lane, Columns(rowCount: rows.count, columns: columns))
    }

    private func give(_ kind: RecordKind, on lane: LaneName, _ table: Columns) throws {
        numbers[lane, default: 0] += 1
        var encoder = ColumnEncoder()
        let encoded = try encoder.encode(table)
        let header = BlockHeader(
            generation: 9, number: numbers[lane]!, previous: numbers[lane]! - 1, kind: kind.id,
            kindVersion: kind.version, rowCount: table.rowCount, keptRows: table.rowCount, keyID: 0, committedAt: now,
            subjects: [], rawLength: encoded.rawLength, crc32: encoded.crc32)
        let block = LaneBlock(lane: lane, block: Block(header: header, payload: encoded.payload))
        if gathered?.append(block) == nil { try engine.step([block], now: now) }
    }

    /// Rows that devices have asked for, of a kind on the lane of requests.
    func ask(_ kind: RecordKind, _ rows: [(device: UInt64, document: String)]) throws {
        let columns = [
            Column(id: ColumnID.device, values: rows.map { Int64(bitPattern: $0.device) }),
            Column(id: ColumnID.document, strings: rows.map { Array($0.document.utf8) }),
        ]
        try give(kind, on: .requests, Columns(rowCount: rows.count, columns: columns))
    }

    /// The questions that leave now.
    func questions() throws -> [(number: UInt64, call: OutgoingQuestion)] {
        try engine.step([], now: now)
        defer { outlet.questions = [] }
        return outlet.questions
    }

    /// What became of a question.
    func settle(_ number: UInt64, _ answer: SendAnswer) throws {
        effects.questions.answers.add(number, answer)
        try engine.step([], now: now)
    }

    /// What `body` gives comes in one transaction.
    func together(_ body: () throws -> Void) throws {
        gathered = []
        try body()
        let blocks = gathered ?? []
        gathered = nil
        try engine.step(blocks, now: now)
    }

    func alarm(
        _ id: String = "62401-1222-1", _ severity: Severity = .major, state: String = "raised", plmn: String = "62401",
        place: String = "1222301230123012", rule: String = "urgent", parent: Bool = false, cause: String? = nil,
        networks: String? = nil
    ) throws {
        try give(
            .alarm, on: .alerts,
            [
                (
                    id,
                    Self.document(
                        id, severity, state: state, plmn: plmn, place: place, rule: rule, parent: parent, cause: cause)
                )
            ],
            networks: [networks])
    }

    static func document(
        _ id: String = "62401-1222-1", _ severity: Severity = .major, state: String = "raised", plmn: String = "62401",
        place: String = "1222301230123012", rule: String = "urgent", parent: Bool = false, cause: String? = nil,
        problem: String = "calls are dropped"
    ) -> String {
        let value: JSONValue = [
            "id": .string(id), "perceivedSeverity": .string(severity.rawValue), "state": .string(state),
            "alarmRaisedTime": "2025-06-15T15:06:40.000Z", "alarmChangedTime": "2025-06-15T15:06:40.000Z",
            "alarmClearedTime": state == "cleared" ? "2025-06-15T15:06:45.000Z" : .null, "plmn": .string(plmn),
            "place": [["id": .string(place)]], "rule": .string(rule), "specificProblem": .string(problem),
            "probableCause": "callSetUpFailure", "parentAlarm": parent ? [["id": "p"]] : .null,
            "suppressedBy": cause.map { .string($0) } ?? .null,
        ]
        return value.text
    }

    func clear(_ id: String = "62401-1222-1") throws { try alarm(id, .cleared, state: "cleared") }

    /// Sets a channel, with its secrets sealed as the command seals them; nil removes it.
    func channel(_ id: String, _ document: JSONValue?) throws {
        let sealed = try document.map { try ChannelSealing.seal($0, id: id, to: keys.document, settings.policy) }
        try give(.channel, on: .operations, [(id, sealed?.text)])
    }

    func webhook(_ id: String = "hook", tenant: String = "regulator", filter: JSONValue = .null, perMinute: Int64 = 600)
        throws
    {
        try channel(
            id,
            [
                "kind": "webhook", "tenant": .string(tenant), "url": "https://hooks.example.org/x", "filter": filter,
                "per_minute": .integer(perMinute), "secrets": ["hmac_key": "0123456789abcdef"],
            ])
    }

    func listener(_ query: String? = nil) throws {
        var document: [String: JSONValue] = [
            "kind": "tmf642", "tenant": "regulator", "url": "https://oss.example.org/listener",
        ]
        if let query { document["query"] = .string(query) }
        try channel("hub", .object(document))
    }

    func manager(_ id: String = "am", resend: Int64 = 60) throws {
        try channel(
            id,
            [
                "kind": "alertmanager", "tenant": "regulator", "url": "https://am.example.org/api/v2/alerts",
                "resend_seconds": .integer(resend), "per_minute": 600,
            ])
    }

    /// What the contacts of a tenant have made of an alarm, as the router tells it.
    func handle(
        _ id: String = "62401-1222-1", of tenant: String = "regulator", _ change: (inout AlarmHandling) -> Void
    ) throws {
        var handling = handlings["\(id)/\(tenant)"] ?? AlarmHandling(alarm: id, tenant: tenant)
        change(&handling)
        handling.version += 1
        handlings[handling.key] = handling
        try give(.alarmHandling, on: .alerts, [(handling.key, try SortedJSON.text(of: handling))])
    }

    func acknowledge(_ id: String = "62401-1222-1", of tenant: String = "regulator") throws {
        try handle(id, of: tenant) { [now] in
            $0.acknowledgement = .init(contact: "ann", at: now, until: now + 3_600_000)
            $0.owner = "ann"
        }
    }

    func offer(_ id: String = "62401-1222-1", to contact: String) throws {
        try handle(id) { [now] in $0.offer = .init(from: "ann", to: contact, at: now) }
    }

    /// As the router does when an acknowledgement runs out.
    func expire(_ id: String = "62401-1222-1", isReminded: Bool = true) throws {
        try handle(id) {
            ($0.acknowledgement, $0.owner, $0.shelving, $0.planned) = (nil, nil, nil, nil)
            if isReminded { $0.reminders += 1 }
        }
    }

    func shelve(_ id: String = "62401-1222-1") throws {
        try handle(id) { [now] in
            $0.shelving = .init(contact: "ann", reason: "known", at: now, until: now + 3_600_000)
        }
    }

    /// As the router does when a step of an escalation is due.
    func call(
        _ contacts: [String] = [], channels: [String] = [], about id: String = "62401-1222-1",
        of tenant: String = "regulator"
    ) throws {
        try handle(id, of: tenant) { [now] in
            var escalation = $0.escalation ?? .init(policy: "noc", nextAt: nil)
            escalation.step += 1
            escalation.calls += 1
            (escalation.contacts, escalation.channels, escalation.at) = (contacts, channels, now)
            $0.escalation = escalation
        }
    }

    func tenant(_ name: String, _ plmns: [String]) throws {
        let document = TenantDocument(
            name: name, plmns: plmns, isRegulator: false, showsOriginalIDs: false, number: 1, clientPublicKey: "")
        try give(.tenant, on: .operations, [(name, try SortedJSON.text(of: document))])
    }

    /// A step at a time, so many milliseconds after the last one.
    func tick(after milliseconds: Int64 = 0) throws {
        now += milliseconds
        outlet.uptime += milliseconds
        try engine.step([], now: now)
    }

    /// What leaves now, with what is still on its way.
    func calls() throws -> [(number: UInt64, call: OutgoingCall)] {
        try tick()
        defer { outlet.calls = [] }
        return outlet.calls
    }

    func answer(_ number: UInt64, _ answer: SendAnswer) throws {
        effects.answers.add(number, answer)
        try tick()
    }

    /// Everything that leaves now is answered, until nothing leaves; what was told, as `channel alarm transition`.
    @discardableResult
    func deliver(_ answer: SendAnswer = .delivered) throws -> [String] {
        var told: [String] = []
        while true {
            let calls = try calls()
            guard !calls.isEmpty else { return told }
            for (number, call) in calls {
                told += call.deliveries.map { "\(call.channel.id) \($0.alarm.id) \($0.transition)" }
                effects.answers.add(number, answer)
            }
        }
    }

    func outbox<Value>(_ body: (OutboxStore) throws -> Value) throws -> Value {
        try database.read { try body(OutboxStore($0)) }
    }

    /// What the lane of deliveries says last of each.
    func toldOnLane() throws -> [String: DeliveryDocument.State] {
        var states: [String: DeliveryDocument.State] = [:]
        for one in try outbox({ try $0.page(channel: nil, state: nil, limit: 1_000) }) { states[one.id] = one.state }
        return states
    }
}
