import Foundation
import GRDB
import Models
import Storage

/// What contacts of the regulator do about alarms while a run goes on, and what must have become of it.
///
/// Each act is asked of the exporter until it has committed it, so that the router may be told it more than once. Of one alarm the
/// next act is asked for when the one before is committed: they reach the router in this order.
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
    private var asked: [Int: Asked] = [:]
    private var handlings: [String: ReferenceHandling] = [:]
    private var decided = 0
    private let isAtWork: Bool
    /// The alarms that the router has.
    var alarms: () throws -> [String] = { [] }

    init(in simulation: Simulation) {
        self.simulation = simulation
        var random = SeededRandom(seed: simulation.seed &* 71 &+ 19)
        // Where alarms end, or homes are lost, acts come too late or are lost with them.
        isAtWork =
            simulation.retention == nil && simulation.pauses.isEmpty && simulation.home == nil
            && !simulation.faults.restores && random.chance(600)
        self.random = random
    }

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
        guard let done = asked.removeValue(forKey: ticket) else { return }
        decided += 1
        let command = done.command
        let isDone = handlings[command.alarm, default: ReferenceHandling()].take(
            done.act, by: command.contact, other: done.other, text: command.text ?? "")
        simulation.note(isDone ? .alarmHandled : .actRefused)
    }

    /// A day has passed, in which what contacts did runs out and every alarm ends.
    func notePassedDay() {
        for alarm in handlings.keys { handlings[alarm]?.passDay() }
    }

    /// What the router has of it is what the model says.
    func compare(_ router: ServiceDatabase) throws {
        guard isAtWork else { return }
        let rows = try router.read { try Row.fetchAll($0, sql: "SELECT document FROM alarm_handlings") }
        let tasks = try router.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM alarm_tasks") ?? 0 }
        guard tasks == decided else { throw SimulationFailure("\(tasks) acts were decided instead of \(decided)") }
        var known: [String: AlarmHandling] = [:]
        for row in rows {
            let handling = try JSONDecoder().decode(AlarmHandling.self, from: row[0] as Data)
            known[handling.alarm] = handling
        }
        for (alarm, expected) in handlings {
            let found = known.removeValue(forKey: alarm)
            guard Self.words(found) == Self.words(expected) else {
                throw SimulationFailure(
                    "handling of alarm \(alarm): \(Self.words(found)), expected \(Self.words(expected))")
            }
        }
        guard known.isEmpty else {
            throw SimulationFailure("alarms are handled that nobody handled: \(known.keys.sorted())")
        }
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
