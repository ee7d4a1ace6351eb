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
    @Test func `a command that cannot be read is set aside, and the next one is carried out`() throws {
        let house = try HandlingBench()
        let good = try house.command(.acknowledge, "t2")
        var columns: [[UInt8]?] = [], keys: [[UInt8]?] = []
        for (key, text) in [("t1", #"{"act":"teleport","task":"t1"}"#), ("t3", "no JSON")] {
            keys.append(Array(key.utf8))
            columns.append(Array(text.utf8))
        }
        keys.append(Array("t2".utf8))
        columns.append(try SortedJSON.bytes(of: good))
        try house.step([
            LaneBlock(
                .operations, 50, .alarmCommand,
                Columns(
                    rowCount: 3,
                    columns: [
                        Column(id: ColumnID.key, strings: keys), Column(id: ColumnID.document, strings: columns),
                    ]))
        ])
        #expect(house.bench.unreadable == ["t1", "t3"])
        #expect(try house.bench.number("SELECT count(*) FROM alarm_tasks") == 1)
        #expect(try house.bench.number("SELECT count(*) FROM alarm_handlings") == 1)
    }

    @Test func `an acknowledgement is done once, told to its tenant alone, and no record touches it`() throws {
        let house = try HandlingBench()
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
        let house = try HandlingBench()
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
        let house = try HandlingBench()
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
        let house = try HandlingBench()
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
        let house = try HandlingBench()
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
        let house = try HandlingBench()
        let command = try house.command(.acknowledge, "t1", at: house.now - AlarmHandlings.patience)
        try house.give(command)
        let untouched = try house.handling()
        #expect(house.outcome("t1") == "failed too_late" && untouched == nil)
    }

    @Test func `an alarm is put under another of the same tenant's, both tell so, and it is taken out again`() throws {
        let house = try HandlingBench()
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
        #expect(try house.handling(about: child) == nil)
        try give("t3", .group, child, under: parent)
        try house.bench.restart()
        try give("t3", .group, child, under: parent)
        #expect(house.outcome("t3") == "done" && house.told.count { $0.key == "t3" } == 1)
        let first = try house.handling(about: parent), second = try house.handling(about: child)
        #expect(first?.children == [child] && first?.version == 1 && second?.parent == parent && second?.version == 1)
        // Of two messages the child's is the last; other tenants have groups of their own.
        let shown = try house.document(of: house.mtn.tenant)["parentAlarm"] as? [[String: Any]]
        #expect(shown?.first?["id"] as? String == parent)
        #expect(try house.document(of: .regulator)["parentAlarm"] == nil)
        try give("t4", .group, parent, under: child)
        #expect(house.outcome("t4") == "failed has_children")
        try give("t5", .ungroup, child, under: parent)
        let left = try house.handling(about: parent), out = try house.handling(about: child)
        #expect(house.outcome("t5") == "done" && left?.children == [] && out?.parent == nil)
    }

    @Test func `tasks are forgotten in time, and what a tenant did that is gone`() throws {
        let house = try HandlingBench()
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

    @Test func `a group that is full takes another alarm once one of its own is over`() throws {
        let house = try HandlingBench()
        let parent = try house.alarm
        func group(_ task: String, _ child: String) throws {
            try house.give(
                AlarmCommand(
                    task: task, alarm: child, act: .group, tenant: "mtn", contact: "ann", at: house.now, parent: parent)
            )
        }
        var children: [String] = []
        for number in 1...AlarmHandling.mostChildren + 2 {
            try house.raise(latitude: 50_000_000 + Int64(number) * 100_000)
            children.append(try house.alarm)
        }
        let last = children.removeLast(), next = children.removeLast()
        for (number, child) in children.enumerated() { try group("g\(number)", child) }
        try group("full", next)
        #expect(house.outcome("full") == "failed too_many_children")
        try house.give(
            AlarmCommand(
                task: "c", alarm: children[7], act: .clear, tenant: "mtn", contact: "ann", at: house.now))
        try group("room", next)
        #expect(house.outcome("room") == "done")
        let known = try house.handling(about: parent)?.children
        #expect(known == children.filter { $0 != children[7] } + [next])
        try group("full again", last)
        #expect(house.outcome("full again") == "failed too_many_children")
    }
}
