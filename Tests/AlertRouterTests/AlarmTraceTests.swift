import Logging
import Models
import QoE
import Testing

@testable import AlertRouter

@Suite struct AlarmTraceTests {
    private let raisedAt: UnixMilliseconds = 1_750_000_000_000

    private func alarm(_ plmn: PLMN) -> Alarm {
        let key = AlarmKey(owner: Scope(plmn), subject: .cell(Urgent.cell))
        return Alarm(
            id: key.id(raisedAt: raisedAt), key: key, severity: .major, problem: .callDrop, raisedAt: raisedAt,
            changedAt: raisedAt, records: 1, devices: 1, publishedAt: raisedAt, dueAt: nil)
    }

    @Test func `rows of a block name their alarms, runs shortened`() throws {
        let block = Position(lane: .realtime, generation: 77, block: 12)
        let records = UrgentRows(
            Urgent.columns([.drop(), .drop(device: 2), .bad(), Urgent(), .drop(device: 3)]), of: .raising(.feedback)
        ).records(committedAt: raisedAt, in: block)
        #expect(records.map { $0.place?.row } == [0, 1, 2, 4])
        var trace = AlarmTrace()
        let mine = alarm(PLMN(mcc: 624, mnc: 1)), other = alarm(PLMN(mcc: 624, mnc: 2))
        trace.note(mine, [records[0], records[1], records[3]])
        trace.note(other, [records[2]])
        let lines = trace.takeLines()
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line["trace"] == "realtime/77/12")
        #expect(line["alarms"] == "\(mine.id):0-1+4,\(other.id):2")
        #expect(trace.takeLines().isEmpty)
    }

    @Test func `blocks have lines of their own, in their order, and long ones are split`() {
        var trace = AlarmTrace()
        for block: UInt64 in [9, 8] {
            let position = Position(lane: .realtime, generation: 1, block: block)
            let records = UrgentRows(Urgent.columns([.drop()]), of: .raising(.report)).records(
                committedAt: raisedAt, in: position)
            for mnc in 1...70 { trace.note(alarm(PLMN(mcc: 624, mnc: Int64(mnc))), records) }
        }
        let lines = trace.takeLines()
        #expect(lines.map { $0["trace"] } == [8, 8, 9, 9].map { "realtime/1/\($0)" })
    }

    @Test func `records that nobody traces have no place`() {
        #expect(UrgentRows(Urgent.columns([.drop()]), of: .raising(.report)).records(committedAt: 0)[0].place == nil)
    }
}
