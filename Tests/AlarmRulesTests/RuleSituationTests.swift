@testable import AlarmRules
import Models
import Testing

/// Single situations, told row by row.
@Suite struct RuleSituationTests {
    private let start = RuleWorld.start

    private func row(_ device: UInt32, _ minute: Int, place: Quadkey? = RuleWorld.cells[0]) -> RuleRow {
        RuleRow(
            kind: 1, device: device, eventAt: start + Int64(minute) * 60_000, owner: 624_002, place: place, stratum: 7,
            hasNetwork: false)
    }

    private func noService(_ engine: inout RuleEngine, _ row: RuleRow) -> [RuleTransition] {
        engine.add(row) { $0 == ColumnID.event ? 2 : nil }
    }

    private func at(_ minute: Int) -> UnixMilliseconds { start + Int64(minute) * 60_000 }

    @Test func `the third phone raises at once, before any watermark`() throws {
        var engine = RuleEngine([try RuleText.rule(RuleText.count())])
        #expect(noService(&engine, row(1, 0)).isEmpty)
        #expect(noService(&engine, row(1, 1)).isEmpty)
        #expect(noService(&engine, row(2, 1)).isEmpty)
        let raised = noService(&engine, row(3, 2))
        #expect(raised.map(\.change) == [.raised])
        #expect(raised.first?.raisedAt == at(2))
        #expect(raised.first?.devices == 3)
        #expect(raised.first?.subject == .cell(RuleWorld.cells[0].parent(at: 12)))
    }

    @Test func `a false position never counts`() throws {
        var engine = RuleEngine([try RuleText.rule(RuleText.count())])
        for device in 1...5 as ClosedRange<UInt32> {
            var row = row(device, 0)
            row.isMock = true
            #expect(noService(&engine, row).isEmpty)
        }
        #expect(engine.figures["r"]?.rows == 0)
    }

    @Test func `while nobody is heard nothing clears`() throws {
        var engine = RuleEngine([try RuleText.rule(RuleText.count())])
        for device in 1...3 as ClosedRange<UInt32> { _ = noService(&engine, row(device, 0)) }
        #expect(!engine.advance(to: at(300)).contains { $0.change == .cleared })
        _ = engine.add(row(9, 301, place: nil)) { _ in nil }
        _ = engine.add(row(9, 305, place: nil)) { _ in nil }
        #expect(engine.advance(to: at(330)).contains { $0.change == .cleared })
    }

    @Test func `while the pipeline is behind nothing clears`() throws {
        var engine = RuleEngine([try RuleText.rule(RuleText.count())])
        for device in 1...3 as ClosedRange<UInt32> { _ = noService(&engine, row(device, 0)) }
        for minute in stride(from: 0, through: 100, by: 5) { _ = engine.add(row(9, minute, place: nil)) { _ in nil } }
        #expect(!engine.advance(to: at(60), isBehind: true).contains { $0.change == .cleared })
        #expect(engine.advance(to: at(80)).contains { $0.change == .cleared })
    }

    @Test func `what comes too late changes counts and times, marked late, and raises nothing`() throws {
        var engine = RuleEngine([try RuleText.rule(RuleText.count())])
        for device in 1...3 as ClosedRange<UInt32> { _ = noService(&engine, row(device, 10 + Int(device))) }
        _ = engine.advance(to: at(20))
        let late = noService(&engine, row(4, 9))
        #expect(late.map(\.change) == [.revised])
        #expect(late.first?.isLate == true)
        #expect(late.first?.devices == 4)
        #expect(late.first?.raisedAt == at(12))
        #expect(noService(&engine, row(4, 9)).isEmpty)
        for device in 11...15 as ClosedRange<UInt32> {
            #expect(noService(&engine, row(device, 9, place: RuleWorld.cells[1])).isEmpty)
        }
        #expect(engine.figures["r"]?.late == 7)
    }

    @Test func `a second outage is another episode, and old rows do not raise it`() throws {
        var engine = RuleEngine([try RuleText.rule(RuleText.count())])
        var transitions: [RuleTransition] = []
        for first in [0, 60] {
            for device in 1...3 as ClosedRange<UInt32> { transitions += noService(&engine, row(device, first)) }
            for minute in stride(from: first, through: first + 55, by: 5) {
                transitions += engine.add(row(9, minute, place: nil)) { _ in nil }
            }
            transitions += engine.advance(to: at(first + 58))
        }
        #expect(transitions.map(\.change).filter { $0 != .revised } == [.raised, .cleared, .raised, .cleared])
        #expect(transitions.filter { $0.change == .raised }.map(\.episode) == [1, 2])
    }

    @Test func `more devices make it worse at once`() throws {
        let steps: [[String: Any]] = [["devices": 3, "severity": "minor"], ["devices": 5, "severity": "critical"]]
        var engine = RuleEngine([try RuleText.rule(RuleText.count(["severity": steps]))])
        let all = (1...6 as ClosedRange<UInt32>).flatMap { noService(&engine, row($0, 0)) }
        #expect(all.map(\.change) == [.raised, .worse])
        #expect(all.map(\.severity) == [.minor, .critical])
    }

    @Test func `of ever so many devices 256 are kept, those of least hash, whatever the order, and it says so`() {
        var random = SplitMix64(seed: 5)
        var one = DeviceWindow(), two = DeviceWindow()
        let ordinals = Array(1...1_000 as ClosedRange<UInt32>)
        for ordinal in ordinals { one.note(ordinal, isBad: ordinal % 4 == 0, at: 100, capacity: 256, isKept: true) }
        for ordinal in ordinals.shuffled(using: &random) {
            two.note(ordinal, isBad: ordinal % 4 == 0, at: 100, capacity: 256, isKept: true)
        }
        #expect(one == two)
        #expect(one.entries.count == 256 && one.leftOutAt == 100)
        let least = ordinals.sorted { SplitMix64.mixed(UInt64($0)) < SplitMix64.mixed(UInt64($1)) }.prefix(256)
        #expect(one.entries.map(\.ordinal) == Array(least))
        one.expire(at: 115, length: 15, hasValues: false, needsBad: false)
        #expect(one == DeviceWindow())
        #expect(MemoryLayout<DeviceWindow.Entry>.stride == 8)
    }

    @Test func `the order of rows does not matter to a window, of one minute the bad and the lower count`() {
        var random = SplitMix64(seed: 6)
        let rows = (0..<400).map { _ in
            (device: UInt32(random.below(20)), minute: Int32(100 + random.below(30)), mark: UInt16(1 + random.below(5)))
        }
        var one = DeviceWindow(), two = DeviceWindow(), three = DeviceWindow(), four = DeviceWindow()
        for row in rows {
            one.note(row.device, isBad: row.mark < 3, at: row.minute, capacity: 256, isKept: true)
            three.note(row.device, value: row.mark, at: row.minute, capacity: 256)
        }
        for row in rows.shuffled(using: &random) {
            two.note(row.device, isBad: row.mark < 3, at: row.minute, capacity: 256, isKept: true)
            four.note(row.device, value: row.mark, at: row.minute, capacity: 256)
        }
        #expect(one == two && three == four)
        let latest = Dictionary(grouping: rows, by: \.device).mapValues { rows in
            rows.filter { $0.minute == rows.map(\.minute).max()! }.map(\.mark).min()!
        }
        #expect(one.latest().bad == latest.values.count { $0 < 3 })
        #expect(three.sum() == latest.values.reduce(0) { $0 + Int($1) })
    }

    @Test func `a device that is erased is nowhere any more`() throws {
        var engine = RuleEngine([try RuleText.rule(RuleText.count())])
        for device in 1...5 as ClosedRange<UInt32> { _ = noService(&engine, row(device, 0)) }
        _ = engine.advance(to: at(6))
        _ = noService(&engine, row(2, 8))
        let before = engine.encoded()
        let (windows, transitions) = engine.erase(2)
        #expect(windows == 1)
        #expect(transitions.map(\.devices) == [4])
        #expect(engine.encoded().count < before.count)
        #expect(engine.erase(2).windows == 0)
    }

    @Test func `over the budget windows shrink and then roll up, and a parent still raises`() throws {
        var engine = RuleEngine([try RuleText.rule(RuleText.count(["level": 16]))], budget: 20_000)
        let corner = Quadkey(text: "1222230122300000")!
        for number in 0..<400 as Range<UInt64> {
            let place = Quadkey(level: 16, code: corner.code + number)
            _ = noService(&engine, row(UInt32(number + 1), 0, place: place))
        }
        let transitions = engine.advance(to: at(10))
        #expect(engine.figures["r"]!.rolledUp > 0 && engine.figures["r"]!.shrunk > 0)
        #expect(engine.byteCount <= 20_000)
        let later = transitions + engine.advance(to: at(12))
        #expect(later.contains { $0.change == .raised })
    }

    @Test func `a rule that decides the same keeps its state over a reload, another withdraws its alarms`() throws {
        let rule = try RuleText.rule(RuleText.count())
        var engine = RuleEngine([rule])
        for device in 1...3 as ClosedRange<UInt32> { _ = noService(&engine, row(device, 0)) }
        #expect(engine.reload([try RuleText.rule(RuleText.count(["text": "said otherwise"]))]).isEmpty)
        #expect(noService(&engine, row(4, 0)).isEmpty)
        let gone = engine.reload([try RuleText.rule(RuleText.count(["set": 4]))])
        #expect(gone.map(\.change) == [.withdrawn])
        let again = (1...4 as ClosedRange<UInt32>).flatMap { noService(&engine, row($0, 20)) }
        #expect(again.map(\.episode) == [2])
    }

    @Test func `a subject that usually reports and falls silent raises, after weeks that taught what is usual`() throws
    {
        let text = RuleText.ratio([
            "kind": "silence", "metric": nil, "bad": nil, "set": 0.1, "clear": 0.5, "zone": "Africa/Douala",
            "min_devices": 5, "window_s": 1_800, "hold_set_s": 300, "hold_clear_s": 0, "lateness_s": 60,
        ])
        var engine = RuleEngine([try RuleText.rule(text)])
        var transitions: [RuleTransition] = []
        let silent = (21 * 1_440 + 600)..<(21 * 1_440 + 720)
        for minute in stride(from: 0, to: 22 * 1_440, by: 6) {
            let isSilent = silent.contains(minute)
            for device in 1...10 as ClosedRange<UInt32> where !isSilent {
                transitions += engine.add(row(device, minute)) { _ in nil }
            }
            transitions += engine.add(row(99, minute, place: RuleWorld.cells[1])) { _ in nil }
            transitions += engine.advance(to: at(minute))
        }
        let told = transitions.filter { $0.change != .revised }
        #expect(told.map(\.change) == [.raised, .cleared])
        #expect(told.first.map { (at(silent.lowerBound)...at(silent.lowerBound + 40)).contains($0.raisedAt) } ?? false)
        #expect(told.last?.clearedAt.map { (at(silent.upperBound)...at(silent.upperBound + 10)).contains($0) } ?? false)
    }

    @Test func `while uploads stop for an hour nothing is called silent and nothing clears`() throws {
        let silence = RuleText.ratio([
            "kind": "silence", "metric": nil, "bad": nil, "set": 0.1, "clear": 0.5, "zone": "Africa/Douala",
            "min_devices": 5, "window_s": 1_800, "hold_set_s": 300, "hold_clear_s": 0, "lateness_s": 60,
        ])
        let count = RuleText.count(["window_s": 900, "hold_clear_s": 300, "lateness_s": 60])
        var engine = RuleEngine([try RuleText.rule(silence), try RuleText.rule(count, id: "count")])
        var transitions: [RuleTransition] = []
        let last = 21 * 1_440 + 600
        func report(_ minute: Int, bad: Bool) {
            for device in 1...10 as ClosedRange<UInt32> {
                transitions += engine.add(row(device, minute)) { $0 == ColumnID.event && bad ? 2 : nil }
            }
        }
        for minute in stride(from: 0, through: last, by: 6) {
            report(minute, bad: minute == last)
            transitions += engine.advance(to: at(minute))
        }
        #expect(transitions.map(\.rule) == ["count"] && transitions.map(\.change) == [.raised])
        // Nobody is heard; the pipeline says all the time that it is complete.
        for minute in last...(last + 60) { transitions += engine.advance(to: at(minute)) }
        #expect(!transitions.contains { $0.change == .cleared || $0.rule != "count" })
        // What waited and what is new come together, in one cell.
        for minute in stride(from: last + 6, through: last + 54, by: 6) { report(minute, bad: minute < last + 30) }
        transitions += engine.add(row(1, last + 60)) { _ in nil }
        #expect(!transitions.contains { $0.change == .cleared || $0.rule != "count" })
        // Not all phones are back at once.
        for minute in (last + 61)...(last + 79) {
            transitions += engine.add(row(1, minute)) { _ in nil }
            transitions += engine.advance(to: at(minute))
            engine = try RuleEngine.decoded(engine.encoded(), engine.rules)
        }
        for minute in stride(from: last + 80, through: last + 140, by: 6) {
            report(minute, bad: false)
            transitions += engine.advance(to: at(minute))
        }
        #expect(!transitions.contains { $0.rule != "count" })
        #expect(transitions.filter { $0.change == .cleared }.map(\.episode) == [1])
        #expect(transitions.filter { $0.change == .raised }.count == 1)
    }

    @Test func `ratings that fall below what is usual raise, and clear when they are back`() throws {
        let text = RuleText.ratio([
            "kind": "collapse", "metric": "rating", "bad": nil, "set": 1, "clear": 0.5, "min_devices": 5,
            "window_s": 3_600, "baseline_hours": 6,
        ])
        var engine = RuleEngine([try RuleText.rule(text)])
        var transitions: [RuleTransition] = []
        for minute in stride(from: 0, to: 1_440, by: 5) {
            let isBad = (720..<840).contains(minute)
            for device in 1...8 as ClosedRange<UInt32> {
                var row = row(device, minute)
                row.kind = 2
                transitions += engine.add(row) { $0 == ColumnID.rating ? (isBad ? 2 : 4) : nil }
            }
            transitions += engine.advance(to: at(minute))
        }
        #expect(transitions.map(\.change) == [.raised, .cleared])
        #expect(transitions.first.map { $0.raisedAt >= at(720) && $0.raisedAt < at(740) } ?? false)
    }

    @Test func `hours are local, also over midnight and where clocks change`() throws {
        let night: [String: Any] = ["from": "22:00", "to": "06:00", "days": ["mon"]]
        let text = RuleText.count(["zone": "America/Chicago", "scope": ["hours": night]])
        let rule = try RuleText.rule(text)
        var cache = ZoneCache()
        func isWatched(_ time: UnixMilliseconds) -> Bool {
            rule.scope.hours!.contains(minuteOfWeek: rule.zone.minuteOfWeek(Minutes.minute(time), &cache))
        }
        // Monday 2026-03-02: 22:00 in Chicago is 04:00 UTC on Tuesday; from 2026-03-08 on it is 03:00.
        #expect(!isWatched(1_772_423_999_000) && isWatched(1_772_510_400_000) && !isWatched(1_772_510_399_000))
        #expect(isWatched(1_772_510_400_000 + 7 * 86_400_000 - 3_600_000))
        #expect(!isWatched(1_772_510_400_000 + 7 * 86_400_000 - 3_601_000))
    }
}
