import Foundation
import Lanes
import Models
import QoE
import Testing
import Wire

@testable import AlertRouter

/// Which records are news: those that were captured a moment ago, where the phone really was.
@Suite
struct AlarmNewsTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    private func old(_ event: NetworkEvent?, rating: Int64? = nil, age: Int64, device: Int64 = 1) -> Urgent {
        var row = Urgent(device: device, event: event, rating: rating)
        row.age = age
        return row
    }

    private func counts(_ row: Urgent) throws -> [AlarmExclusion] {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [row])], now: start)
        #expect(bench.messages.isEmpty == !bench.reasons.isEmpty)
        return bench.reasons
    }

    @Test(
        arguments: [(.callDrop, 120_000), (.noService, 3_600_000), (.emergency, 3_600_000)] as [(NetworkEvent, Int64)])
    func `a record counts up to its problem's lateness, and not a millisecond longer`(
        event: NetworkEvent, lateness: Int64
    ) throws {
        #expect(try counts(old(event, age: lateness)) == [])
        #expect(try counts(old(event, age: lateness + 1)) == [.late])
        #expect(try counts(old(event, age: 7 * 86_400_000)) == [.late])
    }

    @Test func `a record counts up to the accepted skew of clocks ahead`() throws {
        #expect(try counts(old(.callDrop, age: -300_000)) == [])
        #expect(try counts(old(.callDrop, age: -300_001)) == [.future])
    }

    @Test func `a record with a mocked location never counts, however urgent`() throws {
        var row = Urgent.emergency()
        row.isMocked = true
        #expect(try counts(row) == [.mocked])
    }

    @Test func `of fresh and old records of a cell only the fresh count`() throws {
        let bench = try RouterBench()
        let ages: [Int64] = [119_000, 121_000, 0, 121_000, 119_000]
        let rows = ages.enumerated().map { old(.callDrop, age: $1, device: Int64($0 + 1)) }
        try bench.engine.step([Urgent.block(1, rows)], now: start)
        #expect(try bench.number("SELECT records FROM alarms") == 3)
        #expect(try bench.number("SELECT devices FROM alarms") == 3)
        #expect(bench.skipped == [2] && bench.reasons == [.late])
        #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device IN (2, 4)") == 0)
    }

    @Test func `a record that is too late for its lesser problem counts by the one that may be told later`() throws {
        let record = old(.noService, rating: 1, age: 1_000_000).record
        #expect(record.problem.rule == AlarmProblem.noService.rule && record.exclusion(under: .any) == nil)
        var rows = [old(.callDrop, rating: 1, age: 121_000)]
        rows[0].trigger = 2
        #expect(rows[0].record.problem.rule == AlarmProblem.emergency.rule)
        #expect(old(.callDrop, rating: 1, age: 121_000).record.problem.rule == AlarmProblem.callDrop.rule)
    }

    @Test func `rows from nowhere have no cell`() {
        let nowhere = Urgent(event: .callDrop, latitude: 0, longitude: 0)
        #expect(nowhere.record.key.topic(.major) == "alerts/62401/major/")
    }
}
