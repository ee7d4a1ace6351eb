import Models
import QoE
import QoE
import Testing

@testable import AlertRouter

@Suite
struct AlertRouterCoreTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    private func raised(_ urgent: Urgent = .drop()) -> AlertRouterCore {
        var core = AlertRouterCore(nil, updateInterval: 1_000)
        _ = core.handle(.records([urgent.record], newDevices: 1, now: start))
        return core
    }

    @Test
    func `the first record raises an alarm at once`() throws {
        var core = AlertRouterCore(nil, updateInterval: 1_000)
        #expect(core.handle(.records([Urgent.drop().record], newDevices: 1, now: start)) == [.raise])
        let alarm = try #require(core.alarm)
        #expect((alarm.severity, alarm.records, alarm.devices) == (.major, 1, 1))
        #expect(alarm.id == "62401-\(Urgent.cell.text)-1750000000000")
        #expect(alarm.topic == "alerts/62401/major/\(Urgent.cell.text)")
    }

    @Test
    func `records that come together raise one alarm, as severe as the worst of them`() {
        var core = AlertRouterCore(nil, updateInterval: 1_000)
        let records = [Urgent.bad().record, Urgent.emergency(device: 2).record, Urgent.drop(device: 3).record]
        #expect(core.handle(.records(records, newDevices: 3, now: start)) == [.raise])
        #expect(core.alarm?.severity == .critical)
        #expect(core.alarm?.problem == .emergency)
        #expect(core.alarm?.records == 3)
    }

    @Test
    func `a worse record is told at once, however recent the last telling`() {
        var core = raised(.bad())
        let actions = core.handle(.records([Urgent.emergency(device: 2).record], newDevices: 1, now: start + 1))
        #expect(actions == [.changeSeverity(from: .minor)])
        #expect(core.alarm?.severity == .critical)
    }

    @Test
    func `a lesser record never lowers the severity`() {
        var core = raised(.emergency())
        _ = core.handle(.records([Urgent.bad(device: 2).record], newDevices: 1, now: start + 5_000))
        #expect(core.alarm?.severity == .critical)
        #expect(core.alarm?.problem == .emergency)
    }

    @Test
    func `more of the same is told at once after a quiet interval, else when the interval is over, once`() {
        var core = raised()
        let more = [Urgent.drop(device: 2).record]
        #expect(core.handle(.records(more, newDevices: 1, now: start + 999)) == [.wait(until: start + 1_000)])
        #expect(core.handle(.records(more, newDevices: 0, now: start + 999)) == [.wait(until: start + 1_000)])
        #expect(core.handle(.tick(now: start + 999)) == [.wait(until: start + 1_000)])
        #expect(core.handle(.tick(now: start + 1_000)) == [.update])
        #expect(core.handle(.tick(now: start + 1_001)).isEmpty)
        #expect(core.handle(.records(more, newDevices: 0, now: start + 2_000)) == [.update])
        #expect(core.alarm?.records == 4)
        #expect(core.alarm?.devices == 2)
    }

    @Test
    func `an escalation tells what was waiting, so that the tick has nothing more to tell`() {
        var core = raised(.bad())
        _ = core.handle(.records([Urgent.bad(device: 2).record], newDevices: 1, now: start + 1))
        _ = core.handle(.records([Urgent.drop(device: 3).record], newDevices: 1, now: start + 2))
        #expect(core.handle(.tick(now: start + 5_000)).isEmpty)
    }

    @Test
    func `a clock that was set back does not silence an alarm`() {
        var core = raised()
        #expect(core.handle(.records([Urgent.drop().record], newDevices: 0, now: start - 3_600_000)) == [.update])
    }

    @Test
    func `what is counted in the end does not depend on how records were grouped`() {
        let records = (0..<40).map { index in
            var urgent = Urgent.bad(device: Int64(index % 7), at: start + Int64(index))
            if index == 11 { urgent.event = .noService }
            return urgent.record
        }
        func run(step: Int) -> Alarm? {
            var core = AlertRouterCore(nil, updateInterval: 1_000)
            var known: Set<Int64> = []
            for first in stride(from: 0, to: records.count, by: step) {
                let part = Array(records[first..<min(first + step, records.count)])
                let new = Set(part.map(\.device)).subtracting(known)
                known.formUnion(new)
                _ = core.handle(.records(part, newDevices: Int64(new.count), now: start))
            }
            var alarm = core.alarm
            alarm?.publishedAt = 0
            alarm?.dueAt = nil
            return alarm
        }
        for step in [1, 3, 40] { #expect(run(step: step) == run(step: 7)) }
    }
}
