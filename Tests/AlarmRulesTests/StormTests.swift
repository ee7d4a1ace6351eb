@testable import AlarmRules
import Models
import Testing

/// Alarms that lie together have a parent.
@Suite struct StormTests {
    private static let corner = Quadkey(text: "1222230122300000")!

    private func at(_ minute: Int) -> UnixMilliseconds { RuleWorld.start + Int64(minute) * 60_000 }

    private func place(_ number: Int) -> Quadkey { Quadkey(level: 16, code: Self.corner.code + UInt64(number)) }

    /// Three phones of a cell without service.
    private func fail(_ engine: inout RuleEngine, cell: Int, _ minute: Int, devices: Int = 3) -> [RuleTransition] {
        (0..<devices).flatMap { device in
            let row = RuleRow(
                kind: 1, device: UInt32(cell * 10 + device + 1), eventAt: at(minute), owner: 624_002,
                place: place(cell), stratum: 7, hasNetwork: false)
            return engine.add(row) { $0 == ColumnID.event ? 2 : nil }
        }
    }

    /// Goes on minute by minute while others are heard.
    private func advance(_ engine: inout RuleEngine, _ minutes: ClosedRange<Int>) -> [RuleTransition] {
        minutes.flatMap { minute in
            engine.hear(at: at(minute))
            return engine.advance(to: at(minute))
        }
    }

    @Test func `a thousand neighbours, a reload and a restart: one parent, raised once and cleared once`() throws {
        let rule = try RuleText.rule(RuleText.count(["level": 16]))
        let other = try RuleText.rule(RuleText.count(["level": 16, "text": "none at all"]))
        var engine = RuleEngine([rule]), found = advance(&engine, 0...5)
        for cell in 0..<1_000 {
            found += fail(&engine, cell: cell, cell < 500 ? 6 : 9)
            guard cell == 499 else { continue }
            found += advance(&engine, 6...8)
            found += engine.reload([other])
            engine = try RuleEngine.decoded(engine.encoded(), [other])
        }
        found += advance(&engine, 9...60)
        let parents = found.filter(\.isParent)
        #expect(parents.filter { $0.change == .raised }.count == 1)
        #expect(parents.filter { $0.change == .cleared }.count == 1)
        #expect(!found.contains { $0.change == .withdrawn })
        let last = try #require(parents.last)
        #expect(last.rule == "storm.r" && last.subject == .cell(Self.corner.parent(at: 9)))
        #expect(last.change == .cleared && last.children == 1_000 && last.devices == 3_000)
        let children = found.filter { !$0.isParent }
        #expect(children.filter { $0.change == .raised }.count == 1_000)
        let ends = children.filter { $0.change == .cleared }
        #expect(ends.count == 1_000 && ends.allSatisfy { $0.parent == 1 })
    }

    @Test func `the third neighbour raises the parent at once, two have none`() throws {
        let steps = [["devices": 1, "severity": "minor"], ["devices": 5, "severity": "critical"]]
        var engine = RuleEngine([try RuleText.rule(RuleText.count(["level": 16, "severity": steps]))])
        _ = advance(&engine, 0...5)
        #expect(!(fail(&engine, cell: 0, 6) + fail(&engine, cell: 1, 6)).contains { $0.isParent })
        let third = fail(&engine, cell: 2, 7)
        let parent = try #require(third.first { $0.isParent })
        #expect(parent.change == .raised && parent.raisedAt == at(7) && parent.severity == .minor)
        #expect(parent.children == 3 && parent.devices == 9)
        #expect(third.filter { $0.change == .revised && $0.parent == 1 }.count == 3)
        let worse = fail(&engine, cell: 1, 7, devices: 5).filter(\.isParent)
        #expect(worse.map(\.change) == [.worse] && worse[0].severity == .critical)
    }

    @Test func `parents are the same in every order within the lateness, and after restarts`() throws {
        var parents = 0
        for seed in 0..<24 as Range<UInt64> {
            let clear = ["set": 2, "clear": 1, "hold_clear_s": Int(seed % 4) * 60, "window_s": 600]
            let rule = try RuleText.rule(RuleText.count(clear))
            let world = RuleWorld(seed: seed, isBadEvents: true, devices: 30)
            var engine = RuleEngine([rule])
            let ends = engine.play(world.rows, column: ColumnID.event).ends(ofParents: true)
            parents += ends.count
            var other = RuleEngine([rule])
            let shuffled = other.play(world.shuffled(seed: seed &+ 1_000), column: ColumnID.event)
            #expect(ends == shuffled.ends(ofParents: true), "seed \(seed)")
            let rows = world.rows.sorted { $0.arrivesAt < $1.arrivesAt }
            var killed = RuleEngine([rule]), told: [RuleTransition] = []
            for (place, row) in rows.enumerated() {
                if place % (rows.count / 50) == 0 { killed = try RuleEngine.decoded(killed.encoded(), [rule]) }
                told += killed.advance(to: row.arrivesAt)
                told += killed.add(row.row) { $0 == ColumnID.event ? row.value : nil }
            }
            told += killed.advance(to: rows.last!.arrivesAt + 300_000)
            #expect(ends == told.ends(ofParents: true), "seed \(seed)")
        }
        #expect(parents > 20)
    }

    @Test(arguments: ["storm.r"] + AlarmRule.reservedNames.sorted())
    func `no document has a name of parents or of the router's own alarms`(id: String) throws {
        #expect(throws: DocumentRefusal.self) { try RuleText.rule(RuleText.count(), id: id) }
    }
}
