import Models
import Testing

@testable import AlarmRules

@Suite struct WaitingDevicesTests {
    private struct Said {
        let ordinal: UInt32, verdict: UInt16
    }

    /// Rows of a minute, several of most devices.
    private func rows(_ seed: UInt64, devices: Int, _ count: Int) -> [Said] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in Said(ordinal: UInt32(random.below(devices)), verdict: UInt16(random.below(2))) }
    }

    private func waiting(_ rows: [Said], capacity: Int) -> WaitingDevices {
        var waiting = WaitingDevices(minute: 5, isGood: false)
        for row in rows {
            waiting.note(
                row.ordinal, hash: WaitingDevices.hash(row.ordinal), verdict: row.verdict, capacity: capacity)
        }
        return waiting
    }

    /// A window that was told of every row.
    private func window(_ rows: [Said], capacity: Int) -> DeviceWindow {
        var window = DeviceWindow()
        for row in rows {
            window.note(row.ordinal, isBad: row.verdict == 0, at: 5, capacity: capacity, isKept: true)
        }
        return window
    }

    @Test(arguments: [(3, 40), (200, 2_000), (256, 3_000), (257, 3_000), (5_000, 20_000)] as [(Int, Int)])
    func `a window that is told by device is as one that is told of every row`(devices: Int, count: Int) {
        for seed in 1...5 as ClosedRange<UInt64> {
            let rows = rows(seed, devices: devices, count), capacity = DeviceWindow.mostDevices
            let whole = window(rows, capacity: capacity), waiting = waiting(rows, capacity: capacity)
            var told = DeviceWindow()
            for one in waiting.sorted(capacity: capacity) {
                told.note(one.ordinal, isBad: one.verdict == 0, at: 5, capacity: capacity, isKept: true)
            }
            #expect(told.latest() == whole.latest())
            #expect(told.entries.map(\.ordinal) == whole.entries.map(\.ordinal))
            #expect(waiting.isLeftOut(capacity: capacity) == (whole.leftOutAt != nil))
        }
    }

    @Test func `the order of rows does not matter`() {
        let rows = rows(7, devices: 3_000, 9_000)
        #expect(
            waiting(rows, capacity: 256).sorted(capacity: 256)
                == waiting(rows.reversed(), capacity: 256).sorted(capacity: 256))
    }

    @Test func `joined to another it is as if it had been told of the rows of both`() {
        let left = rows(1, devices: 900, 2_000), right = rows(2, devices: 900, 2_000)
        var joined = waiting(left, capacity: 64)
        joined.merge(waiting(right, capacity: 64), capacity: 64)
        let both = waiting(left + right, capacity: 64)
        #expect(joined.sorted(capacity: 64) == both.sorted(capacity: 64))
        #expect(joined.isLeftOut(capacity: 64) && both.isLeftOut(capacity: 64))
    }

    @Test func `a device that is erased is in it no longer, and what is written is read`() throws {
        var waiting = waiting(rows(3, devices: 700, 4_000), capacity: 256)
        let gone = waiting.sorted(capacity: 256)[17].ordinal
        waiting.erase(gone)
        #expect(!waiting.sorted(capacity: .max).contains { $0.ordinal == gone })
        var writer = WindowWriter()
        waiting.write(&writer)
        var reader = WindowReader(writer.bytes)
        #expect(try WaitingDevices(&reader) == waiting && reader.isAtEnd)
    }

    @Test func `a million rows take no more room than their devices`() throws {
        let rule = try RuleText.rule(RuleText.count())
        var engine = RuleEngine([rule])
        for number in 0..<1_000_000 {
            let row = RuleRow(
                kind: 1, device: UInt32(number % 2_000), eventAt: RuleWorld.start + UnixMilliseconds(number % 60_000),
                owner: 624_002, place: RuleWorld.cells[0])
            _ = engine.add(row) { _ in nil }
        }
        #expect(engine.byteCount < 64_000)
        #expect(engine.figures[rule.id]?.rows == 1_000_000)
    }
}
