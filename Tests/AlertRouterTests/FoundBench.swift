import AlarmRules
import Foundation
import GRDB
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import Synchronization
import Wire

@testable import AlertRouter

/// The router with an outbox of the windows that a test writes itself.
final class FoundBench {
    static let start: UnixMilliseconds = 1_750_000_020_000
    static let owner = Scope(PLMN(mcc: 624, mnc: 1))

    let router: RouterBench
    private let outbox = Outbox()
    private var desk: TransitionDesk
    private var operations: UInt64 = 0
    /// Minutes since the start that the rules have judged.
    private(set) var minute: Int64 = 0

    private final class Outbox: Sendable {
        let transitions = Mutex<[FoundTransition]>([])
    }

    init() throws {
        router = try RouterBench(.qoe)
        desk = Self.desk(outbox)
        router.effects.desk = desk
    }

    private static func desk(_ outbox: Outbox) -> TransitionDesk {
        TransitionDesk(life: 1, newest: Int64(outbox.transitions.withLock(\.count))) { number, limit in
            outbox.transitions.withLock { Array($0.filter { $0.number > number }.prefix(limit)) }
        }
    }

    /// As after a kill of the router.
    func restart() throws {
        try router.restart()
        desk = Self.desk(outbox)
        router.effects.desk = desk
    }

    static func time(_ minute: Int64) -> UnixMilliseconds { start + minute * 60_000 }

    /// What rules found, and the minute to which they have judged.
    func find(_ found: [FoundTransition], to minute: Int64) throws {
        self.minute = minute
        let newest = outbox.transitions.withLock { transitions in
            for var one in found {
                one.number = Int64(transitions.count) + 1
                transitions.append(one)
            }
            return Int64(transitions.count)
        }
        desk.wrote(through: newest, reached: Self.time(minute))
        for _ in 0..<100 {
            try router.engine.step([], now: Self.time(minute))
            guard router.effects.nextTick == 0 else { return }
        }
    }

    /// A transition of the rule `r`, found in the minute that is judged next.
    static func found(
        _ change: RuleTransition.Change, _ cell: String, rule: String = "r", episode: Int64 = 1, cause: String,
        severity: Severity = .major, raised: Int64, cleared: Int64? = nil, at minute: Int64? = nil, devices: Int64 = 3,
        holdClear: Int64 = 15, owner: Scope = owner
    ) -> FoundTransition {
        FoundTransition(
            number: 0, life: 1,
            key: FoundTransition.Key(
                rule: rule, owner: owner, subject: .cell(Quadkey(text: cell)), episode: episode),
            change: change, severity: severity, raisedAt: time(raised), clearedAt: cleared.map(time), devices: devices,
            foundAt: time(minute ?? cleared ?? raised), type: "qualityOfServiceAlarm", cause: cause, text: "\(rule)",
            french: "\(rule)", holdClear: holdClear * 60_000, lateness: 120_000)
    }

    /// A contact of the regulator ends an alarm by hand.
    func clear(_ alarm: String) throws {
        let command = AlarmCommand(
            task: "t-\(alarm)", alarm: alarm, act: .clear, tenant: "regulator", contact: "ann", at: Self.time(minute),
            until: nil, text: nil)
        operations += 1
        let columns = Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.key, strings: [Array(command.task.utf8)]),
                Column(id: ColumnID.document, strings: [try SortedJSON.bytes(of: command)]),
            ])
        try router.engine.step(
            [LaneBlock(.operations, operations, .alarmCommand, columns)], now: Self.time(minute))
    }

    /// Sets a document of on-call of the regulator.
    func set(_ kind: RecordKind, _ name: String, _ document: JSONValue) throws {
        operations += 1
        let members = document.object!.merging(["tenant": .string("regulator")]) { old, _ in old }
        let columns = Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.key, strings: [Array("regulator/\(name)".utf8)]),
                Column(id: ColumnID.document, strings: [Array(JSONValue.object(members).text.utf8)]),
            ])
        try router.engine.step([LaneBlock(.operations, operations, kind, columns)], now: Self.time(minute))
    }

    func text(_ sql: String) throws -> String? { try router.database.read { try String.fetchOne($0, sql: sql) } }

    /// The last message of each alarm of a rule: state, and what else is said.
    func documents(of rule: String) throws -> [[String: Any]] {
        try router.messages.map { try JSONSerialization.jsonObject(with: Data($0.clear())) as! [String: Any] }
            .filter { $0["rule"] as? String == rule }
    }
}
