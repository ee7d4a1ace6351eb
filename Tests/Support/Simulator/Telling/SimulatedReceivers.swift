import Channels
import Foundation
import GRDB
import Lanes
import Models
import Notifier
import NotifierMessages
import ServiceKit
import Storage
import Wire

/// Whom the notifier tells in a run: receivers that are slow, lose what they are sent, or have it and do not say so; and what the
/// model says that they must hear.
final class SimulatedReceivers {
    /// What stands for one thing that was told, wherever it comes from.
    private struct Message: Equatable {
        let channel: String, alarm: String, transition: String
    }

    private unowned let simulation: Simulation
    // Of its own, so that what is drawn here shifts nothing else of a seed.
    private var random: SeededRandom
    private var current: NotifierEffects?
    private(set) var model = ReferenceTelling()
    /// By the names of deliveries.
    private var messages: [String: Message] = [:]
    /// By channel and alarm, in the order of their first receipt.
    private var heard: [String: [String: [String]]] = [:]
    /// Of managers: by alarm and severity, whether it fires.
    private var fires: [String: [String: Bool]] = [:]
    private var decoder = ColumnDecoder()
    /// The model's words for documents that operators have asked for.
    private var known: [String: ReferenceTelling.Channel] = [:]
    /// The notifier's thread, to be told that an answer waits.
    var wake: () -> Void = {}
    /// True if the notifier dies after the commit that it is in.
    var isDying: () -> Bool = { false }

    init(in simulation: Simulation) {
        self.simulation = simulation
        random = SeededRandom(seed: simulation.seed &* 227 &+ 41)
    }

    /// What a document on the lane says.
    func note(_ channel: ReferenceTelling.Channel, as document: [UInt8]) {
        known[String(decoding: document, as: UTF8.self)] = channel
    }

    /// The notifier starts: answers to calls of its life before find nobody.
    func effects(_ database: ServiceDatabase) throws -> NotifierEffects {
        let clock = simulation.clock
        let effects = try NotifierEffects(
            database, secret: [UInt8](repeating: 7, count: 32), vapid: [UInt8](repeating: 9, count: 32),
            random: { [unowned self] in random.next() },
            // A machine that sleeps does not count the time.
            uptime: { [unowned simulation] in clock.now - simulation.slept },
            carryOut: { [unowned self] calls in
                // Some who die after a commit have not called anybody yet.
                if isDying(), random.chance(500) { return }
                for (number, call) in calls { make(number, call) }
            })
        current = effects
        return effects
    }

    // MARK: Receivers

    /// Receivers fail until the last act.
    private var fails: Bool { simulation.clock.now < failsUntil + simulation.slept }
    private let failsUntil = SimulationSettings.start + 11_000

    private func make(_ number: UInt64, _ call: OutgoingCall) {
        let life = current
        let isLost = fails && random.chance(150), isSilent = fails && random.chance(150)
        let way = fails ? random.pick([5, 30, 200, 200, 2_500]) : random.below(50)
        simulation.timeline.after(way) { [self] in
            if !isLost { try receive(call) }
            simulation.timeline.after(random.below(way + 1)) { [self] in
                guard let life, life === current else { return }
                life.answer(number, isLost || isSilent ? .failed("no answer") : .delivered)
                wake()
            }
        }
    }

    private func receive(_ call: OutgoingCall) throws {
        for one in call.deliveries {
            let message = Message(channel: call.channel.id, alarm: one.alarm.id, transition: one.transition)
            guard messages.updateValue(message, forKey: one.id) ?? message == message else {
                throw SimulationFailure("\(message) has the name of something else that was told")
            }
        }
        if case .alertmanager(let url, let resend) = call.channel.kind {
            for alert in try JSONValue(bytes: AlertmanagerMessage.request(call, to: url, resend: resend).body).array
                ?? []
            {
                let labels = alert["labels"], alarm = labels?["alarm"]?.string ?? ""
                let isOn = (alert["endsAt"]?.string ?? "") > Timestamp.text(call.at)
                fires[call.channel.id, default: [:]]["\(alarm) \(labels?["severity"]?.string ?? "")"] = isOn
            }
            return
        }
        for one in call.deliveries {
            let transition = one.transition, alarm = one.alarm.id
            if heard[call.channel.id]?[alarm]?.contains(transition) ?? false {
                simulation.note(.toldAgain)
            } else {
                heard[call.channel.id, default: [:]][alarm, default: []].append(transition)
            }
        }
    }

    // MARK: The model

    /// The notifier has committed the effects of blocks, or of time and answers alone.
    func applied(_ blocks: [LaneBlock]) throws {
        var batch = ReferenceTelling.Batch()
        for block in blocks {
            let columns = try block.block.columns(with: &decoder), kind = block.block.header.kind
            for row in 0..<columns.rowCount {
                let key = String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self)
                let document = columns[ColumnID.document]?.value(row).map { Data($0) }
                switch kind {
                case RecordKind.tenant.id: try batch.tenants.append((key, document.map(Self.tenant)))
                case RecordKind.channel.id:
                    let channel = document.map { known[String(decoding: $0, as: UTF8.self)]! }
                    batch.channels.append((key, channel))
                case RecordKind.alarm.id:
                    let networks = columns[ColumnID.networks]?.value(row).map { String(decoding: $0, as: UTF8.self) }
                    try batch.alarms.append((key, document.map { try Self.alarm($0, networks ?? "") }))
                case RecordKind.alarmHandling.id:
                    let slash = key.lastIndex(of: "/")!
                    try batch.cares.append(
                        (String(key[..<slash]), String(key[key.index(after: slash)...]), document.map(Self.care)))
                default: break
                }
            }
        }
        model.hear(batch)
    }

    private static func tenant(_ document: Data) throws -> ReferenceTenant {
        let read = try JSONDecoder().decode(TenantDocument.self, from: document)
        return ReferenceTenant(name: read.name, networks: Set(read.plmns), isRegulator: read.isRegulator)
    }

    private static func alarm(_ document: Data, _ networks: String) throws -> ReferenceTelling.Alarm {
        let read = try JSONSerialization.jsonObject(with: document) as? [String: Any] ?? [:]
        let own = (read["plmn"] as? String).map { [$0] } ?? []
        return ReferenceTelling.Alarm(
            id: read["id"] as? String ?? "", severity: read["perceivedSeverity"] as? String ?? "",
            isOver: read["state"] as? String == "cleared",
            isSpokenFor: !(read["parentAlarm"] as? [Any] ?? []).isEmpty || read["suppressedBy"] is String,
            networks: Set(networks.split(separator: " ").map(String.init) + own))
    }

    private static func care(_ document: Data) throws -> ReferenceTelling.Care {
        let read = try JSONDecoder().decode(AlarmHandling.self, from: document)
        return ReferenceTelling.Care(
            isAcknowledged: read.acknowledgement != nil, isShelved: read.shelving != nil || read.planned != nil,
            reminders: Int(read.reminders), offer: read.offer.map { .init(to: $0.to, at: Int($0.at)) })
    }

    // MARK: The end

    /// True once everything that can be told is told, and what fires was told since it began.
    func areTold(by notifier: ServiceDatabase) throws -> Bool {
        let usable = model.usable.map { "'\($0.id)'" }.joined(separator: ", ")
        return try notifier.read {
            try !Bool.fetchOne(
                $0,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM deliveries WHERE state = 0 AND channel IN (\(usable))
                        AND (transition <> 'firing' OR attempts > 0 OR changed_at = created_at OR due_at <= ?))
                    """, arguments: [simulation.clock.now])!
        }
    }

    /// Each channel has heard of each alarm what it must, in order; of one that is gone nothing else.
    func compare() throws {
        let usable = Set(model.usable.map(\.id))
        for channel in known.values.sorted(by: { $0.id < $1.id }) {
            if channel.firesOn {
                if usable.contains(channel.id) { try compareFires(channel.id) }
                continue
            }
            let expected = model.transitions(of: channel.id), found = heard[channel.id] ?? [:]
            for alarm in Set(expected.keys).union(found.keys) {
                let expected = expected[alarm] ?? [], found = found[alarm] ?? []
                let isRight = usable.contains(channel.id) ? found == expected : Set(found).isSubset(of: expected)
                guard isRight else {
                    throw SimulationFailure("\(channel.id) was told of alarm \(alarm): \(found), expected \(expected)")
                }
                note(expected)
            }
        }
    }

    private func note(_ transitions: [String]) {
        if transitions.contains("cleared") { simulation.note(.endTold) }
        if transitions.contains(where: { $0.hasPrefix("offered") }) { simulation.note(.offerTold) }
        if transitions.contains(where: { $0.hasPrefix("changed") }) { simulation.note(.changeTold) }
    }

    private func compareFires(_ channel: String) throws {
        let expected = Set(model.firing(at: channel).map { "\($0.key) \($0.value)" })
        let found = Set((fires[channel] ?? [:]).filter(\.value).keys)
        guard found == expected else {
            throw SimulationFailure("at \(channel) fires \(found.sorted()), expected \(expected.sorted())")
        }
        if !expected.isEmpty { simulation.note(.alarmFires) }
    }
}

extension ReferenceTelling.Channel {
    /// As operators set it.
    var document: JSONValue {
        var members: [String: JSONValue] = ["tenant": .string(tenant), "per_minute": 600]
        if let contact {
            members["contact"] = .string(contact)
            members["tells"] = tellsAll ? "all" : "escalations"
            members["to"] = .string("\(contact)@example.org")
            (members["kind"], members["digest_seconds"]) = ("email", 0)
        } else if firesOn {
            members["url"] = "https://manager.example.org/api/v2/alerts"
            (members["kind"], members["resend_seconds"]) = ("alertmanager", 60)
        } else {
            (members["kind"], members["url"]) = ("tmf642", "https://oss.example.org/listener")
        }
        return .object(members)
    }
}
