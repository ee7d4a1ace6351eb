import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

@testable import AlertRouter

/// Commands of contacts on their way through the router: what becomes of them, what is told, what survives.
@Suite
struct AlarmHandlingTests {
    private static let start: UnixMilliseconds = 1_750_000_000_000

    /// A router with tenant mtn and one open emergency of its network.
    private final class House {
        let bench: RouterBench
        let mtn: Added, orange: Added
        private var operations: UInt64 = 1, realtime: UInt64 = 0
        private(set) var told: [(kind: UInt8, key: String, document: [String: Any]?)] = []
        private var outcomes: [String: String] = [:]
        var now = AlarmHandlingTests.start

        init() throws {
            mtn = try Added("mtn", 1, ["62401"])
            orange = try Added("orange", 2, ["62402"])
            bench = try RouterBench()
            try step([Added.block(1, [mtn, orange])])
            try raise()
        }

        func raise(latitude: Int64 = 40_510_000, mnc: Int64 = 1) throws {
            realtime += 1
            var urgent = Urgent.emergency(device: Int64(realtime), at: now)
            (urgent.latitude, urgent.mnc) = (latitude, mnc)
            try step([Urgent.block(realtime, [urgent])])
        }

        /// The handling of an alarm by a tenant.
        func handling(of alarm: String, by tenant: String = "mtn") throws -> AlarmHandling? {
            try bench.database.read { db in
                try AlarmHandlingRows.number(of: alarm, db).flatMap {
                    try AlarmHandlingRows.handling(of: $0, by: tenant, db)
                }
            }
        }

        var alarm: String { get throws { try text("SELECT id FROM alarms ORDER BY number DESC LIMIT 1") } }

        func text(_ sql: String) throws -> String {
            try bench.database.read { try String.fetchOne($0, sql: sql) ?? "" }
        }

        func command(
            _ act: AlarmCommand.Act, _ task: String, by contact: String = "ann", of tenant: String = "mtn",
            until: UnixMilliseconds? = nil, text: String? = nil, at: UnixMilliseconds? = nil
        ) throws -> AlarmCommand {
            AlarmCommand(
                task: task, alarm: try alarm, act: act, tenant: tenant, contact: contact, at: at ?? now, until: until,
                text: text)
        }

        /// Commands as the exporter puts them on the lane.
        func block(_ commands: [AlarmCommand]) throws -> LaneBlock {
            operations += 1
            return try LaneBlock(
                .operations, operations, .alarmCommand,
                Columns(
                    rowCount: commands.count,
                    columns: [
                        Column(id: ColumnID.key, strings: commands.map { Array($0.task.utf8) }),
                        Column(id: ColumnID.document, strings: try commands.map { try SortedJSON.bytes(of: $0) }),
                    ]))
        }

        func give(_ commands: AlarmCommand...) throws { try step([block(commands)]) }

        func step(_ blocks: [LaneBlock]) throws {
            let outcome = try bench.engine.step(blocks, now: now)
            var decoder = ColumnDecoder()
            for block in outcome.appended.flatMap(\.blocks) {
                let columns = try block.columns(with: &decoder)
                guard let keys = columns[ColumnID.key] else { continue }
                for row in 0..<columns.rowCount {
                    let document = try columns[ColumnID.document]?.value(row).map {
                        try JSONSerialization.jsonObject(with: Data($0)) as! [String: Any]
                    }
                    let key = String(decoding: keys.value(row) ?? [], as: UTF8.self)
                    told.append((block.header.kind, key, document))
                    guard block.header.kind == RecordKind.alarmTask.id, let state = document?["state"] as? String else {
                        continue
                    }
                    outcomes[key] = (document?["code"] as? String).map { "\(state) \($0)" } ?? state
                }
            }
        }

        /// State and code of a task, as the lane tells it.
        func outcome(_ task: String) -> String? { outcomes[task] }

        func handling(of tenant: String = "mtn") throws -> AlarmHandling? {
            try bench.database.read { db in
                let number = try Int64.fetchOne(db, sql: "SELECT max(number) FROM alarms") ?? 0
                return try AlarmHandlingRows.handling(of: number, by: tenant, db)
            }
        }

        /// The last document that a tenant's subscribers were sent.
        func document(of tenant: AlertTenant) throws -> [String: Any] {
            let message = try #require(bench.messages(of: tenant).last)
            let body = try Inflater.inflate(message.body, format: .zlib, limit: 1 << 20)
            return try JSONSerialization.jsonObject(with: Data(body)) as! [String: Any]
        }
    }

    @Test func `an acknowledgement is done once, told to its tenant alone, and no record touches it`() throws {
        let house = try House()
        let command = try house.command(.acknowledge, "t1")
        try house.give(command)
        try house.give(command)
        #expect(house.outcome("t1") == "done" && house.told.count { $0.key == "t1" } == 1)
        let handling = try house.handling()
        #expect(handling?.version == 1 && handling?.owner == "ann")
        #expect(try house.document(of: house.mtn.tenant)["ackUserId"] as? String == "ann")
        #expect(try house.document(of: .regulator)["ackState"] as? String == "unacknowledged")
        house.now += 5_000
        try house.raise()
        let updated = try house.document(of: house.mtn.tenant)
        #expect(updated["ackState"] as? String == "acknowledged" && updated["records"] as? Int == 2)
    }

    @Test func `who does not see an alarm has none, and who does not own it does not clear it`() throws {
        let house = try House()
        try house.give(
            try house.command(.acknowledge, "t1", of: "orange"), try house.command(.clear, "t2", of: "nobody"))
        #expect(house.outcome("t1") == "failed alarm_not_found" && house.outcome("t2") == "failed alarm_not_found")
        try house.give(try house.command(.clear, "t3", by: "regulator", of: "regulator"))
        #expect(house.outcome("t3") == "done")
        let over = try house.document(of: house.mtn.tenant)
        #expect(over["state"] as? String == "cleared" && over["clearUserId"] == nil)
        #expect(try house.document(of: .regulator)["clearUserId"] as? String == "regulator")
    }

    @Test func `after the end by hand the next record raises another alarm`() throws {
        let house = try House()
        let first = try house.alarm
        try house.give(try house.command(.acknowledge, "t1"), try house.command(.clear, "t2"))
        let handling = try house.handling()
        #expect(house.outcome("t2") == "done" && handling?.acknowledgement?.contact == "ann")
        #expect(handling?.acknowledgement?.until == nil)
        house.now += 60_000
        try house.raise()
        let second = try house.alarm, untouched = try house.handling()
        #expect(second != first && untouched == nil)
    }

    /// Ten times the seeds of this run: ten thousand in a nightly one.
    private static let races = min(
        10_000, 10 * (ProcessInfo.processInfo.environment["NKUL_SEEDS"].flatMap { Int($0) } ?? 100))

    @Test func `of an acknowledgement and the end in any order the end wins, race after race`() throws {
        let house = try House()
        var late = 0
        for round in 0..<Self.races {
            let acknowledge = try house.command(.acknowledge, "a\(round)"),
                clear = try house.command(.clear, "c\(round)")
            let isAcknowledgedFirst = round % 2 == 0
            if round % 3 == 0 {
                try house.give(isAcknowledgedFirst ? acknowledge : clear)
                try house.give(isAcknowledgedFirst ? clear : acknowledge)
            } else {
                try house.step([house.block(isAcknowledgedFirst ? [acknowledge, clear] : [clear, acknowledge])])
            }
            guard house.outcome("c\(round)") == "done",
                house.outcome("a\(round)") == (isAcknowledgedFirst ? "done" : "failed alarm_cleared"),
                try house.text("SELECT severity FROM alarms ORDER BY number DESC LIMIT 1") == "cleared"
            else {
                late += 1
                continue
            }
            house.now += 1_000
            try house.raise()
        }
        #expect(late == 0)
    }

    @Test func `what runs out is taken back and told again, over a restart; long ago nobody is reminded`() throws {
        let house = try House()
        try house.give(try house.command(.acknowledge, "t1", until: house.now + 60_000))
        try house.bench.restart()
        house.now += 60_000
        let before = house.bench.messages(of: house.mtn.tenant).count
        #expect(try #require(house.bench.effects.nextTick) <= house.now)
        try house.step([])
        let expired = try house.handling()
        #expect(expired?.owner == nil && expired?.reminders == 1)
        #expect(house.bench.messages(of: house.mtn.tenant).count == before + 1)
        try house.give(
            try house.command(.shelve, "t2", until: house.now + 60_000, text: "known"),
            try house.command(.acknowledge, "t3", until: house.now + 90_000))
        #expect(try house.document(of: house.mtn.tenant)["shelvedReason"] as? String == "known")
        // A day later, as after a clock that was set or a home that was restored.
        house.now += 86_400_000
        try house.step([])
        let long = try house.handling()
        #expect(long?.shelving == nil && long?.owner == nil && long?.reminders == 1)
    }

    @Test func `a command that waited for longer than anybody did is not carried out`() throws {
        let house = try House()
        let command = try house.command(.acknowledge, "t1", at: house.now - AlarmHandlings.patience)
        try house.give(command)
        let untouched = try house.handling()
        #expect(house.outcome("t1") == "failed too_late" && untouched == nil)
    }

    @Test func `an alarm is put under another of the same tenant's, both tell so, and it is taken out again`() throws {
        let house = try House()
        let parent = try house.alarm
        try house.raise(latitude: 50_000_000)
        let child = try house.alarm
        try house.raise(latitude: 60_000_000, mnc: 2)
        let foreign = try house.alarm
        func give(_ task: String, _ act: AlarmCommand.Act, _ alarm: String, under parent: String) throws {
            try house.give(
                AlarmCommand(
                    task: task, alarm: alarm, act: act, tenant: "mtn", contact: "ann", at: house.now, parent: parent))
        }
        try give("t1", .group, child, under: foreign)
        try give("t2", .group, child, under: "none")
        #expect(house.outcome("t1") == "failed parent_not_found" && house.outcome("t2") == "failed parent_not_found")
        #expect(try house.handling(of: child) == nil)
        try give("t3", .group, child, under: parent)
        try house.bench.restart()
        try give("t3", .group, child, under: parent)
        #expect(house.outcome("t3") == "done" && house.told.count { $0.key == "t3" } == 1)
        let first = try house.handling(of: parent), second = try house.handling(of: child)
        #expect(first?.children == [child] && first?.version == 1 && second?.parent == parent && second?.version == 1)
        // Of two messages the child's is the last; other tenants have groups of their own.
        let shown = try house.document(of: house.mtn.tenant)["parentAlarm"] as? [[String: Any]]
        #expect(shown?.first?["id"] as? String == parent)
        #expect(try house.document(of: .regulator)["parentAlarm"] == nil)
        try give("t4", .group, parent, under: child)
        #expect(house.outcome("t4") == "failed has_children")
        try give("t5", .ungroup, child, under: parent)
        let left = try house.handling(of: parent), out = try house.handling(of: child)
        #expect(house.outcome("t5") == "done" && left?.children == [] && out?.parent == nil)
    }

    @Test func `tasks are forgotten in time, and what a tenant did that is gone`() throws {
        let house = try House()
        try house.give(try house.command(.acknowledge, "t1"), try house.command(.comment, "t2", text: "words"))
        try house.step([Added.block(3, [], removed: ["mtn"])])
        #expect(try house.handling() == nil)
        let gone = house.told.last { $0.kind == RecordKind.alarmHandling.id }
        let key = "\(try house.alarm)/mtn"
        #expect(gone?.key == key && gone?.document == nil)
        house.now += AlarmHandlings.keptTasks + 1
        try house.step([])
        #expect(
            house.told.filter { $0.kind == RecordKind.alarmTask.id && $0.document == nil }.map(\.key).sorted() == [
                "t1", "t2",
            ])
        #expect(try house.bench.number("SELECT count(*) FROM alarm_tasks") == 0)
    }
}
