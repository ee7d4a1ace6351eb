import AlarmRules
import Models
import QoE
import Testing

@Suite struct BuiltInRuleTests {
    @Test func `every built-in rule compiles, and one phone alone raises an emergency only`() throws {
        let rules = try BuiltInRules.rules(.qoe)
        #expect(rules.count == 8)
        for rule in rules {
            let isEmergency = rule.id == "built-in.emergency"
            #expect((rule.kind == .urgent) == isEmergency)
            if rule.kind == .count { #expect(rule.set >= 3) }
            if rule.kind == .ratio { #expect(Double(rule.leastDevices) * rule.set >= 3, "\(rule.id)") }
            #expect(rule.holdClear > 0)
        }
    }

    @Test func `one phone with everything wrong raises nothing but its emergency`() throws {
        var engine = RuleEngine(try BuiltInRules.rules(.qoe))
        var transitions: [RuleTransition] = []
        for minute in 0..<180 as Range<Int64> {
            for (place, kind) in [UInt8(1), 2].enumerated() {
                let row = RuleRow(
                    kind: kind, device: 7, eventAt: RuleWorld.start + minute * 60_000, owner: 624_001,
                    place: RuleWorld.cells[0], stratum: 4)
                transitions += engine.add(row) { column in
                    switch column {
                    case ColumnID.event: minute == 90 ? 4 : Int64(place)
                    case ColumnID.rating: 1
                    case ColumnID.latency: 600_000
                    case ColumnID.loss: 10_000
                    case ColumnID.download: 0
                    case ColumnID.rsrp: -1_400
                    default: nil
                    }
                }
            }
            transitions += engine.advance(to: RuleWorld.start + minute * 60_000)
        }
        #expect(Set(transitions.map(\.rule)) == ["built-in.emergency"])
        #expect(transitions.first?.severity == .critical)
    }

    @Test func `a row is read as its programme means it`() {
        let values: [UInt8: Int64] = [
            ColumnID.mcc: 624, ColumnID.mnc: 2, ColumnID.servingMCC: 624, ColumnID.servingMNC: 1,
            ColumnID.networkType: 13, ColumnID.latitude: 40_483_000, ColumnID.longitude: 97_043_000,
            ColumnID.accuracy: 50_000, ColumnID.mockLocation: 1,
        ]
        let row = RuleRowReader(.report, of: .qoe).row(device: 1, eventAt: 0) { values[$0] }
        #expect(row.owner == 624_002 && row.serving == 624_001)
        #expect(row.place?.level == 12 && row.isMock && !row.hasNetwork)
    }
}
