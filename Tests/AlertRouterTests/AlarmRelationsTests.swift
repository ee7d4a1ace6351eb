import AlarmRules
import Foundation
import Lanes
import Models
import ServiceKit
import Testing

@testable import AlertRouter

/// What alarms of rules are to each other: causes and symptoms, alarms that flap, floods.
@Suite struct AlarmRelationsTests {
    private static let cell = "122223012"
    private static let outage = "lossOfSignal", slow = "responseTimeExcessive"

    private func states(_ documents: [[String: Any]]) -> [String] {
        documents.map { "\($0["state"]!)\($0["suppressedBy"] == nil ? "" : " suppressed")" }
    }

    @Test(arguments: [false, true])
    func `a symptom in an outage is told by its cause, and on its own when it outlasts it`(isRestarted: Bool) throws {
        let bench = try FoundBench()
        try bench.find([FoundBench.found(.raised, Self.cell, rule: "out", cause: Self.outage, raised: 0)], to: 0)
        try bench.find(
            [
                FoundBench.found(.raised, Self.cell + "1", rule: "slow", cause: Self.slow, raised: 1),
                FoundBench.found(.raised, "122223013", rule: "slow", cause: Self.slow, raised: 1),
                FoundBench.found(.raised, Self.cell + "1", rule: "weak", cause: "degradedSignal", raised: 1),
                FoundBench.found(
                    .raised, Self.cell + "1", rule: "slow", cause: Self.slow, raised: 1,
                    owner: Scope(PLMN(mcc: 624, mnc: 2))),
            ], to: 1)
        let cause = try bench.text("SELECT id FROM alarms WHERE rule = 'out'")
        let told = try bench.documents(of: "slow")
        #expect(states(told) == ["raised suppressed", "raised", "raised"])
        #expect(told[0]["suppressedBy"] as? String == cause)
        #expect(states(try bench.documents(of: "weak")) == ["raised"])
        #expect(bench.router.held == [.suppressed: 1])
        try bench.find(
            [FoundBench.found(.cleared, Self.cell, rule: "out", cause: Self.outage, raised: 0, cleared: 20)], to: 20)
        if isRestarted { try bench.restart() }
        try bench.find([], to: 34)
        #expect(states(try bench.documents(of: "slow")).count == 3)
        try bench.find([], to: 35)
        #expect(states(try bench.documents(of: "slow")) == ["raised suppressed", "raised", "raised", "updated"])
        try bench.find([], to: 90)
        #expect(try bench.documents(of: "slow").count == 4)
    }

    @Test func `a symptom that is over before its rule would clear is never told on its own`() throws {
        let bench = try FoundBench()
        let symptom = FoundBench.found(.raised, Self.cell, rule: "slow", cause: Self.slow, raised: 1)
        try bench.find(
            [FoundBench.found(.raised, Self.cell, rule: "out", cause: Self.outage, raised: 0), symptom], to: 1)
        try bench.find(
            [FoundBench.found(.cleared, Self.cell, rule: "out", cause: Self.outage, raised: 0, cleared: 20)], to: 20)
        try bench.find(
            [FoundBench.found(.cleared, Self.cell, rule: "slow", cause: Self.slow, raised: 1, cleared: 30)], to: 30)
        try bench.find([], to: 90)
        #expect(
            states(try bench.documents(of: "slow")) == [
                "raised suppressed", "cleared suppressed", "cleared suppressed",
            ])
        #expect(try bench.router.number("SELECT count(*) FROM found_standings WHERE told_due IS NOT NULL") == 0)
    }

    @Test func `a symptom is told after its cause was cleared by hand, and not while the lanes stand still`() throws {
        let bench = try FoundBench()
        try bench.find(
            [
                FoundBench.found(.raised, "", rule: "out", cause: Self.outage, raised: 0),
                FoundBench.found(.raised, Self.cell, rule: "slow", cause: Self.slow, raised: 1),
            ], to: 1)
        try bench.clear(try #require(try bench.text("SELECT id FROM alarms WHERE rule = 'out'")))
        #expect(states(try bench.documents(of: "slow")) == ["raised suppressed"])
        try bench.router.engine.step([], now: FoundBench.time(600))
        #expect(states(try bench.documents(of: "slow")) == ["raised suppressed"])
        try bench.find([], to: 16)
        #expect(states(try bench.documents(of: "slow")) == ["raised suppressed", "updated"])
    }

    @Test func `the parent of a storm takes the place of its child as the cause, in either order`() throws {
        for isLate in [false, true] {
            let bench = try FoundBench()
            let symptom = FoundBench.found(.raised, Self.cell + "1", rule: "slow", cause: Self.slow, raised: 1)
            let child = FoundBench.found(.raised, Self.cell + "1", rule: "out", cause: Self.outage, raised: 0)
            let parent = FoundBench.found(.raised, Self.cell, rule: "storm.out", cause: Self.outage, raised: 2)
            for one in isLate ? [child, parent, symptom] : [symptom, child, parent] { try bench.find([one], to: 2) }
            let id = try bench.text("SELECT id FROM alarms WHERE rule = 'storm.out'")
            #expect(try bench.text("SELECT suppressed_by FROM alarms WHERE rule = 'slow'") == id)
            // Another outage speaks for it when that one is over.
            try bench.find(
                [FoundBench.found(.cleared, Self.cell, rule: "storm.out", cause: Self.outage, raised: 2, cleared: 9)],
                to: 9)
            #expect(
                try bench.text("SELECT suppressed_by FROM alarms WHERE rule = 'slow'")
                    == bench.text("SELECT id FROM alarms WHERE rule = 'out'"))
        }
    }

    @Test(arguments: [false, true])
    func `the third alarm within an hour stays open until an hour of quiet`(isRestarted: Bool) throws {
        let bench = try FoundBench()
        func raise(_ episode: Int64, _ from: Int64, _ to: Int64, _ severity: Severity = .minor) throws {
            let cause = Self.slow
            try bench.find(
                [
                    FoundBench.found(
                        .raised, Self.cell, episode: episode, cause: cause, severity: severity, raised: from)
                ], to: from)
            if isRestarted { try bench.restart() }
            try bench.find(
                [
                    FoundBench.found(
                        .cleared, Self.cell, episode: episode, cause: cause, severity: severity, raised: from,
                        cleared: to)
                ], to: to)
        }
        try raise(1, 0, 5)
        try raise(2, 30, 35)
        try raise(3, 60, 65)
        #expect(bench.router.held == [.flapping: 1])
        try raise(4, 70, 75)
        try raise(5, 120, 125, .major)
        let told = try bench.documents(of: "r").map { "\($0["state"]!) \($0["perceivedSeverity"]!)" }
        #expect(
            told == [
                "raised minor", "cleared cleared", "cleared cleared", "raised minor", "cleared cleared",
                "cleared cleared", "raised minor", "updated major", "updated major",
            ])
        #expect(try bench.documents(of: "r").suffix(3).allSatisfy { $0["flapping"] as? Bool == true })
        try bench.find([], to: 186)
        #expect(try bench.router.number("SELECT count(*) FROM alarms WHERE cleared_at IS NULL") == 1)
        try bench.find([], to: 187)
        let last = try #require(try bench.documents(of: "r").last)
        #expect(last["state"] as? String == "cleared")
        #expect(try bench.router.number("SELECT max(cleared_at) FROM alarms") == FoundBench.time(185))
        // The hour of the raises is over, too.
        try raise(6, 190, 195)
        #expect(try bench.documents(of: "r").last?["flapping"] == nil)
        #expect(try bench.router.number("SELECT count(*) FROM alarms") == 4)
    }

    @Test func `what is late of an earlier episode does not end an alarm that flaps, and its rule's end does`() throws {
        let bench = try FoundBench()
        for (episode, from) in [(1, 0), (2, 10), (3, 20)] as [(Int64, Int64)] {
            try bench.find(
                [
                    FoundBench.found(.raised, Self.cell, episode: episode, cause: Self.slow, raised: from),
                    FoundBench.found(
                        .cleared, Self.cell, episode: episode, cause: Self.slow, raised: from, cleared: from + 2),
                ], to: from + 2)
        }
        try bench.find(
            [
                FoundBench.found(.raised, Self.cell, episode: 4, cause: Self.slow, raised: 30),
                FoundBench.found(
                    .revised, Self.cell, episode: 3, cause: Self.slow, raised: 19, cleared: 22, at: 31, devices: 9),
            ], to: 31)
        #expect(try bench.router.number("SELECT count(*) FROM found_standings WHERE quiet_at IS NOT NULL") == 0)
        #expect(try bench.router.number("SELECT devices FROM alarms ORDER BY episode DESC LIMIT 1") == 9)
        try bench.find([], to: 300)
        #expect(try bench.router.number("SELECT count(*) FROM alarms WHERE cleared_at IS NULL") == 1)
        try bench.find(
            [FoundBench.found(.withdrawn, Self.cell, episode: 4, cause: Self.slow, raised: 30, at: 301)], to: 301)
        #expect(try bench.router.number("SELECT count(*) FROM alarms WHERE cleared_at IS NULL") == 0)
    }

    @Test(arguments: [false, true])
    func `beyond the budget of a minute a flood speaks for the alarms of an owner`(isRestarted: Bool) throws {
        let bench = try FoundBench()
        let cells = (0..<64).map { "122223" + String(Quadkey(level: 3, code: UInt64($0)).text) }
        func raise(_ numbers: Range<Int>, _ minute: Int64, _ severity: Severity = .minor) throws {
            try bench.find(
                numbers.map {
                    FoundBench.found(.raised, cells[$0], cause: Self.slow, severity: severity, raised: minute)
                }, to: minute)
            if isRestarted { try bench.restart() }
        }
        func clear(_ numbers: Range<Int>, _ minute: Int64) throws {
            try bench.find(
                numbers.map { FoundBench.found(.cleared, cells[$0], cause: Self.slow, raised: 0, cleared: minute) },
                to: minute)
        }
        try raise(0..<32, 0)
        try raise(32..<35, 0, .critical)
        // The next minute has a budget of its own.
        try raise(35..<36, 1)
        let floods = try bench.documents(of: AlarmFlood.rule)
        #expect(floods.compactMap { $0["state"] as? String } == ["raised", "updated", "updated"])
        #expect(floods.last?["perceivedSeverity"] as? String == "critical")
        let id = try #require(try bench.text("SELECT id FROM alarms WHERE rule = '\(AlarmFlood.rule)'"))
        let children = try bench.documents(of: "r").filter {
            ($0["parentAlarm"] as? [[String: String]])?.first?["id"] == id
        }
        #expect(children.count == 5 && bench.router.held[.flood] == 5)
        #expect(try bench.router.number("SELECT child_count FROM alarms WHERE rule = '\(AlarmFlood.rule)'") == 5)
        #expect(try bench.documents(of: "r").filter { $0["state"] as? String == "raised" }.count == 36)
        try clear(0..<34, 40)
        #expect(try bench.documents(of: AlarmFlood.rule).count == 3)
        try clear(34..<36, 41)
        #expect(try bench.documents(of: AlarmFlood.rule).last?["state"] as? String == "cleared")
        #expect(try bench.router.number("SELECT count(*) FROM alarms WHERE cleared_at IS NULL") == 0)
    }

    /// How the last document of an alarm says that it is, and whether another speaks for it.
    private func last(_ bench: FoundBench, _ cell: String) throws -> String? {
        try bench.documents(of: "r").last { $0["cell"] as? String == cell }.map {
            "\($0["state"]!)\($0["parentAlarm"] == nil ? "" : " child")"
        }
    }

    private func escalations(_ bench: FoundBench, _ cell: String) throws -> Int64 {
        try bench.router.number(
            "SELECT count(*) FROM alarm_handlings JOIN alarms ON number = alarm WHERE subject = '\(cell)'")
    }

    @Test(arguments: [false, true])
    func `what lies in a flood that is cleared by hand is told on its own, and somebody is called`(
        isRestarted: Bool
    ) throws {
        let bench = try FoundBench()
        try bench.set(.escalation, "night", ["steps": [["after_minutes": 60, "contacts": ["ann"]]]])
        let cells = (0..<33).map { "122223" + String(Quadkey(level: 3, code: UInt64($0)).text) }
        let raised = cells.map { FoundBench.found(.raised, $0, cause: Self.slow, raised: 0) }
        try bench.find(Array(raised[0..<32]), to: 0)
        try bench.find([FoundBench.found(.cleared, cells[30], cause: Self.slow, raised: 0, cleared: 1)], to: 1)
        #expect(try last(bench, cells[31]) == "raised child" && escalations(bench, cells[31]) == 0)
        if isRestarted { try bench.restart() }
        try bench.clear(try #require(try bench.text("SELECT id FROM alarms WHERE rule = '\(AlarmFlood.rule)'")))
        #expect(try last(bench, cells[31]) == "updated" && escalations(bench, cells[31]) == 1)
        #expect(try escalations(bench, cells[30]) == 0)
        // What is found of it later does not put it back.
        try bench.find(
            [FoundBench.found(.worse, cells[31], cause: Self.slow, severity: .critical, raised: 0, at: 2)], to: 2)
        #expect(try last(bench, cells[31]) == "updated")
        #expect(try bench.router.number("SELECT count(*) FROM found_standings WHERE flood > 0 AND is_open = 1") == 0)
        #expect(try bench.router.number("SELECT count(*) FROM alarms WHERE rule = '\(AlarmFlood.rule)'") == 1)
        // What was over before stays its child.
        #expect(try last(bench, cells[30]) == "cleared child")
    }

    @Test(arguments: [false, true])
    func `children of a storm whose parent is cleared by hand are told on their own, and so are later ones`(
        isRestarted: Bool
    ) throws {
        let bench = try FoundBench(), cells = ["1", "2", "3"].map { Self.cell + $0 }
        try bench.set(.escalation, "night", ["steps": [["after_minutes": 60, "contacts": ["ann"]]]])
        func child(
            _ change: RuleTransition.Change, _ cell: String, cleared: Int64? = nil, at minute: Int64, devices: Int64 = 3
        ) -> FoundTransition {
            var one = FoundBench.found(
                change, cell, cause: Self.slow, raised: 0, cleared: cleared, at: minute, devices: devices)
            one.parent = 1
            return one
        }
        try bench.find(
            [
                FoundBench.found(.raised, Self.cell, rule: "storm.r", cause: Self.slow, raised: 0),
                child(.raised, cells[0], at: 0), child(.raised, cells[1], at: 0),
                child(.cleared, cells[1], cleared: 1, at: 1),
            ], to: 1)
        #expect(try last(bench, cells[0]) == "raised child" && escalations(bench, cells[0]) == 0)
        if isRestarted { try bench.restart() }
        try bench.clear(try #require(try bench.text("SELECT id FROM alarms WHERE rule = 'storm.r'")))
        #expect(try last(bench, cells[0]) == "updated" && escalations(bench, cells[0]) == 1)
        try bench.find(
            [
                child(.revised, cells[0], at: 2, devices: 9), child(.revised, cells[1], cleared: 1, at: 2, devices: 9),
                child(.raised, cells[2], at: 2),
            ], to: 2)
        #expect(try last(bench, cells[2]) == "raised" && escalations(bench, cells[2]) == 1)
        let children = "SELECT group_concat(subject) FROM alarms WHERE parent IS NOT NULL"
        #expect(try bench.text(children) == cells[1])
        try bench.find([child(.cleared, cells[0], cleared: 3, at: 3)], to: 3)
        #expect(try last(bench, cells[0]) == "cleared")
    }

    @Test func `an episode that is withdrawn ends an alarm that flaps, and its figures stay`() throws {
        let bench = try FoundBench()
        for (episode, from) in [(1, 0), (2, 10), (3, 20)] as [(Int64, Int64)] {
            try bench.find(
                [
                    FoundBench.found(.raised, Self.cell, episode: episode, cause: Self.slow, raised: from, devices: 7),
                    FoundBench.found(
                        .cleared, Self.cell, episode: episode, cause: Self.slow, raised: from, cleared: from + 2,
                        devices: 7),
                ], to: from + 2)
        }
        try bench.find([FoundBench.found(.raised, Self.cell, episode: 4, cause: Self.slow, raised: 30)], to: 30)
        try bench.find(
            [FoundBench.found(.withdrawn, Self.cell, episode: 4, cause: Self.slow, raised: 30, at: 40)], to: 40)
        let last = "FROM alarms ORDER BY episode DESC LIMIT 1"
        #expect(try bench.router.number("SELECT raised_at \(last)") == FoundBench.time(20))
        #expect(try bench.router.number("SELECT devices \(last)") == 7)
        #expect(try bench.router.number("SELECT cleared_at \(last)") == FoundBench.time(40))
        // Nothing is left that is due.
        #expect(try bench.router.number("SELECT count(*) FROM found_standings WHERE quiet_due IS NOT NULL") == 0)
    }
}
