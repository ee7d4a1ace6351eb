import Models
import Testing

@testable import AlarmRules

/// What rules would have found in rows of the past.
@Suite struct RuleTrialTests {
    private func play(_ world: RuleWorld, _ rule: AlarmRule, column: UInt8) -> RuleTrial {
        var trial = RuleTrial([rule])
        let rows = world.rows.sorted { $0.arrivesAt < $1.arrivesAt }
        for row in rows {
            trial.advance(to: row.arrivesAt)
            trial.add(row.row, receivedAt: row.arrivesAt) { $0 == column ? row.value : nil }
        }
        trial.advance(to: (rows.last?.arrivesAt ?? 0) + 300_000)
        return trial
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `a trial ends with the alarms of the engine, each told once when it was found`(seed: UInt64) throws {
        let world = RuleWorld(seed: seed, isBadEvents: true), rule = try RuleText.rule(RuleText.count())
        var engine = RuleEngine([rule])
        let transitions = engine.play(world.rows, column: ColumnID.event)
        let trial = play(world, rule, column: ColumnID.event)
        #expect(!trial.alarms.isEmpty && trial.figures == engine.figures)
        let found = trial.alarms.filter { !$0.rule.hasPrefix("storm.") }.map { alarm in
            EpisodeEnd(
                owner: alarm.owner.number, subject: alarm.subject.text, number: alarm.episode,
                raised: (alarm.raisedAt - RuleWorld.start) / 60_000,
                cleared: alarm.clearedAt.map { ($0 - RuleWorld.start) / 60_000 }, severity: alarm.severity,
                devices: alarm.devices)
        }
        #expect(found.count == Set(found).count && Set(found) == transitions.ends)
        #expect(trial.alarms.allSatisfy { $0.toldAt >= $0.raisedAt })
        #expect(trial.alarms.map(\.toldAt) == trial.alarms.map(\.toldAt).sorted())
    }

    @Test func `alarms meet where they are about the same while both go on`() {
        func alarm(_ from: Int64, _ to: Int64?, owner: Int64 = 624_001, children: Int = 0) -> TriedAlarm {
            TriedAlarm(
                rule: "r", owner: Scope(scheme: Scope.plmn, number: owner), subject: .cell(nil), episode: 1,
                severity: .minor, raisedAt: from, toldAt: from, clearedAt: to, devices: 3, isSampled: false,
                parent: nil, children: children)
        }
        #expect(alarm(0, 10).meets(alarm(10, 20)) && alarm(10, 20).meets(alarm(0, 10)))
        #expect(!alarm(0, 10).meets(alarm(11, nil)) && alarm(0, nil).meets(alarm(11, nil)))
        #expect(!alarm(0, 10).meets(alarm(0, 10, owner: 624_002)))
        #expect(!alarm(0, 10).meets(alarm(0, 10, children: 3)))
    }

    @Test func `a row that is not shared has no place finer than level 13`() {
        var row = RuleRow(kind: 1, device: 1, eventAt: 0, owner: 1, place: RuleWorld.cells[0])
        row.unshare()
        #expect(row.place == RuleWorld.cells[0].parent(at: 13))
        row.place = RuleWorld.cells[0].parent(at: 9)
        row.unshare()
        #expect(row.place?.level == 9)
    }
}
