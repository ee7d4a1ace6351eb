import Foundation
import GRDB
import Models
import Storage

/// What contacts of the regulator do about alarms while a run goes on, and what must have become of it.
///
/// Each act is asked of the exporter until it has committed it, so that the router may be told it more than once. Of one alarm the
/// next act is asked for when the one before is committed: they reach the router in this order. Alarms of rules may end meanwhile:
/// an act comes before or after the end by when the router decided the one and told the other.
final class SimulatedContacts {
    /// One act, from when it was drawn.
    private struct Asked {
        let command: AlarmCommand
        let act: ReferenceHandling.Act
        let other: String
    }

    private static let contacts = ["ann", "bob"]

    private unowned let simulation: Simulation
    // Of its own, so that what is drawn here shifts nothing else of a seed.
    private var random: SeededRandom
    private var repetitions: SeededRandom
    private var asked: [Int: Asked] = [:]
    /// What was done about each alarm, in its order.
    private var done: [String: [Asked]] = [:]
    /// When everybody had slept, and for how many hours.
    private var sleeps: [(at: Int64, hours: Int)] = []
    private let isAtWork: Bool
    /// The alarms that the router has and that are open.
    var alarms: () throws -> [String] = { [] }

    init(in simulation: Simulation) {
        self.simulation = simulation
        var random = SeededRandom(seed: simulation.seed &* 71 &+ 19)
        // Where alarms end, or homes are lost, acts come too late or are lost with them.
        isAtWork =
            simulation.retention == nil && simulation.pauses.isEmpty && simulation.home == nil
            && !simulation.faults.restores && random.chance(600)
        self.random = random
        repetitions = SeededRandom(seed: simulation.seed &* 233 &+ 47)
    }

    /// Whether an act is passed on once more, as by an exporter that died before it knew that it had.
    func isRepeated() -> Bool { repetitions.chance(150) }

    /// When acts are drawn.
    func times(from begin: Int64, span: Int64) -> [Int64] {
        guard isAtWork else { return [] }
        return (0..<random.within(4...14)).map { _ in begin + 1_000 + Int64(random.below(Int(span))) }
    }

    /// What to ask of the exporter by a ticket; nil if there is no alarm of which nothing waits.
    func command(_ ticket: Int) throws -> AlarmCommand? {
        if let known = asked[ticket] { return known.command }
        let busy = Set(asked.values.map(\.command.alarm))
        let free = try alarms().filter { !busy.contains($0) }
        guard !free.isEmpty else { return nil }
        // Mostly the first one, so that much happens to it.
        let alarm = random.chance(600) ? free[0] : random.pick(free)
        let act = random.pick(Array(ReferenceHandling.Act.allCases)), by = random.pick(Self.contacts)
        let other = by == "ann" ? "bob" : "ann", now = simulation.clock.now
        let command = AlarmCommand(
            task: "task\(ticket)", alarm: alarm, act: act.asked, tenant: "regulator", contact: by, at: now,
            until: act == .shelve ? now + 3_600_000 : nil, to: act == .offer ? other : nil,
            text: [.comment, .shelve].contains(act) ? "text \(ticket)" : nil)
        asked[ticket] = Asked(command: command, act: act, other: other)
        return command
    }

    /// The exporter has committed an act: so will the router decide it.
    func noteDone(_ ticket: Int) {
        guard let act = asked.removeValue(forKey: ticket) else { return }
        done[act.command.alarm, default: []].append(act)
    }

    /// Everybody has slept, and what contacts did may have run out.
    func noteSleep(hours: Int) { sleeps.append((simulation.clock.now, hours)) }

    /// What the router has of it is what the model says.
    func compare(_ router: ServiceDatabase) throws {
        guard isAtWork else { return }
        let rows = try router.read { try Row.fetchAll($0, sql: "SELECT document FROM alarm_handlings") }
        let tasks = try router.read { db in
            Dictionary(
                uniqueKeysWithValues: try Row.fetchAll(db, sql: "SELECT id, decided_at FROM alarm_tasks").map {
                    ($0[0] as String, $0[1] as Int64)
                })
        }
        let ends = try router.read { db in
            Dictionary(
                uniqueKeysWithValues: try Row.fetchAll(
                    db, sql: "SELECT id, published_at FROM alarms WHERE cleared_at IS NOT NULL"
                ).map { ($0[0] as String, $0[1] as Int64) })
        }
        let acts = done.values.flatMap { $0.map(\.command.task) }
        guard tasks.keys.sorted() == acts.sorted() else {
            throw SimulationFailure("acts were decided: \(tasks.keys.sorted()), instead of \(acts.sorted())")
        }
        var known: [String: AlarmHandling] = [:]
        for row in rows {
            let handling = try JSONDecoder().decode(AlarmHandling.self, from: row[0] as Data)
            known[handling.alarm] = handling
        }
        for (alarm, acts) in done {
            let found = Self.words(known.removeValue(forKey: alarm))
            // What was done at the very moment of the end was done before or after.
            let expected = [true, false].map { isBefore in
                ReferenceHandling.after(events(acts, tasks, endedAt: ends[alarm], actsFirst: isBefore))
            }
            guard expected.contains(where: { Self.words($0.handling) == found }) else {
                throw SimulationFailure(
                    "handling of alarm \(alarm): \(found), expected \(Self.words(expected[0].handling))")
            }
            if expected[0].done > 0 { simulation.note(.alarmHandled) }
            if expected[0].done < acts.count { simulation.note(.actRefused) }
            if expected[0].done > 0, ends[alarm] != nil, sleeps.isEmpty { simulation.note(.handledAlarmEnded) }
        }
        guard known.isEmpty else {
            throw SimulationFailure("alarms are handled that nobody handled: \(known.keys.sorted())")
        }
    }

    /// What happened to an alarm's handling, in the order of the times at the router.
    private func events(
        _ acts: [Asked], _ tasks: [String: Int64], endedAt: Int64?, actsFirst: Bool
    ) -> [ReferenceHandling.Event] {
        var events = acts.map { act in
            (
                at: tasks[act.command.task]!, order: actsFirst ? 0 : 2,
                event: ReferenceHandling.Event.act(
                    act.act, by: act.command.contact, other: act.other, text: act.command.text ?? "")
            )
        }
        events += sleeps.map { ($0.at, -1, .sleep(hours: $0.hours)) }
        if let endedAt { events.append((endedAt, 1, .end)) }
        // Acts keep their order where times are the same.
        return events.enumerated().sorted { left, right in
            (left.element.at, left.element.order, left.offset) < (right.element.at, right.element.order, right.offset)
        }.map(\.element.event)
    }

    private static func words(_ handling: AlarmHandling?) -> String {
        guard let handling else { return words(ReferenceHandling()) }
        return """
            version \(handling.version), \(handling.owner ?? "nobody") has it, acknowledged by \
            \(handling.acknowledgement?.contact ?? "nobody"), offered by \(handling.offer?.from ?? "nobody") to \
            \(handling.offer?.to ?? "nobody"), shelved: \(handling.shelving != nil), \(handling.comments.map(\.text))
            """
    }

    private static func words(_ handling: ReferenceHandling) -> String {
        """
        version \(handling.version), \(handling.owner ?? "nobody") has it, acknowledged by \
        \(handling.owner ?? "nobody"), offered by \(handling.offeredBy ?? "nobody") to \
        \(handling.offeredTo ?? "nobody"), shelved: \(handling.isShelved), \(handling.comments)
        """
    }
}

extension ReferenceHandling.Act {
    /// The product's word.
    fileprivate var asked: AlarmCommand.Act {
        switch self {
        case .acknowledge: .acknowledge
        case .unacknowledge: .unacknowledge
        case .offer: .offer
        case .accept: .accept
        case .comment: .comment
        case .shelve: .shelve
        case .unshelve: .unshelve
        }
    }
}
