import AlarmRules
import Models
import Testing

@Suite struct RuleEngineTests {
    static var steps: [[String: Any]] { [["devices": 1, "severity": "minor"], ["devices": 5, "severity": "major"]] }

    /// A rule by chance, the same for the engine and for the oracle.
    private func pair(_ seed: UInt64, isCount: Bool) throws -> (rule: AlarmRule, oracle: RuleOracle) {
        var random = SplitMix64(seed: seed &* 31 + 7)
        let window = 3 + random.below(30), holdSet = isCount ? random.pick([0, 0, 0, 2]) : random.below(5)
        let holdClear = random.below(8), count = 2 + random.below(5), least = 1 + random.below(4)
        let set = isCount ? Double(count) : 0.4 + Double(random.below(5)) / 10
        let clear = isCount ? Double(random.below(count)) : set - 0.05 - Double(random.below(3)) / 10
        let changes: [String: Any?] = [
            "window_s": window * 60, "hold_set_s": holdSet * 60, "hold_clear_s": holdClear * 60,
            "set": isCount ? count : set, "clear": isCount ? Int(clear) : clear, "severity": Self.steps,
        ]
        let text =
            isCount
            ? RuleText.count(changes) : RuleText.ratio(changes.merging(["min_devices": least]) { $1 })
        let oracle = RuleOracle(
            isCount: isCount, window: window, holdSet: holdSet, holdClear: holdClear, set: set, clear: clear,
            least: least, steps: [(1, .minor), (5, .major)])
        return (try RuleText.rule(text), oracle)
    }

    @Test(arguments: [true, false])
    func `the engine agrees with an oracle that counts everything anew each minute`(isCount: Bool) throws {
        var found = 0
        for seed in 0..<50 as Range<UInt64> {
            let world = RuleWorld(seed: seed, isBadEvents: isCount)
            let (rule, oracle) = try pair(seed, isCount: isCount)
            var engine = RuleEngine([rule])
            let ends = engine.play(world.rows, column: isCount ? ColumnID.event : ColumnID.latency).ends
            let expected = oracle.episodes(world.rows, level: 12)
            #expect(ends == expected, "seed \(seed)")
            found += expected.count
        }
        #expect(found > 100)
    }

    @Test func `a watermark that goes back a little changes nothing, and by ten minutes it begins everything anew`()
        throws
    {
        let rule = try pair(1, isCount: true).rule, start = RuleWorld.start
        func rows(_ at: UnixMilliseconds, _ engine: inout RuleEngine) -> [RuleTransition] {
            (1...7).flatMap { device in
                engine.add(
                    RuleRow(
                        kind: 1, device: UInt32(device), eventAt: at, owner: 624_002, place: RuleWorld.cells[0],
                        hasNetwork: false)
                ) { $0 == ColumnID.event ? 2 : nil }
            }
        }
        var engine = RuleEngine([rule])
        _ = engine.advance(to: start)
        let raised = rows(start, &engine) + engine.advance(to: start + 3_600_000, isBehind: true)
        #expect(raised.map(\.change).contains(.raised))
        let known = engine.encoded()
        #expect(engine.advance(to: start + 3_600_000 - 540_000).isEmpty && engine.encoded() == known)
        #expect(engine.advance(to: start - 86_400_000).map(\.change) == [.withdrawn])
        let again = rows(start - 86_400_000, &engine) + engine.advance(to: start - 85_200_000, isBehind: true)
        #expect(again.first { $0.change == .raised }?.episode == 2)
    }

    @Test(arguments: [true, false])
    func `rows in another order within the lateness make the same episodes`(isCount: Bool) throws {
        for seed in 0..<40 as Range<UInt64> {
            let world = RuleWorld(seed: seed, isBadEvents: isCount), rule = try pair(seed, isCount: isCount).rule
            let column = isCount ? ColumnID.event : ColumnID.latency
            var one = RuleEngine([rule]), two = RuleEngine([rule])
            let first = one.play(world.rows, column: column),
                second = two.play(
                    world.shuffled(seed: seed &+ 1_000), column: column)
            #expect(first.ends == second.ends, "seed \(seed)")
        }
    }

    @Test func `an engine that is written and read at any moment goes on as if nothing had been`() throws {
        for seed in 0..<20 as Range<UInt64> {
            let world = RuleWorld(seed: seed, isBadEvents: true), rule = try pair(seed, isCount: true).rule
            var whole = RuleEngine([rule]), broken = RuleEngine([rule])
            var one: [RuleTransition] = [], two: [RuleTransition] = []
            for (place, row) in world.rows.sorted(by: { $0.arrivesAt < $1.arrivesAt }).enumerated() {
                one += whole.advance(to: row.arrivesAt)
                one += whole.add(row.row) { $0 == ColumnID.event ? row.value : nil }
                if place % 37 == 0 {
                    let bytes = broken.encoded()
                    broken = try RuleEngine.decoded(bytes, [rule])
                    #expect(broken.encoded() == bytes)
                }
                two += broken.advance(to: row.arrivesAt)
                two += broken.add(row.row) { $0 == ColumnID.event ? row.value : nil }
            }
            #expect(one == two, "seed \(seed)")
        }
    }

    @Test func `bytes that are damaged are refused and never trap`() throws {
        let world = RuleWorld(seed: 3, isBadEvents: true), rule = try pair(3, isCount: true).rule
        var engine = RuleEngine([rule])
        _ = engine.play(Array(world.rows.prefix(200)), column: ColumnID.event)
        let bytes = engine.encoded()
        for length in 0..<bytes.count {
            #expect(throws: StateError.self) { try RuleEngine.decoded(Array(bytes[..<length]), [rule]) }
        }
        var random = SplitMix64(seed: 1)
        for _ in 0..<2_000 {
            var damaged = bytes
            damaged[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
            _ = try? RuleEngine.decoded(damaged, [rule])
        }
    }
}
