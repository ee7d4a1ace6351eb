import Foundation
import GRDB
import Lanes
import Models
import Storage
import Testing
import Wire

@testable import SubjectRights

@Suite struct RetentionExecutorTests {
    private let keeper = try! SampleKeeper()

    private func report(_ place: Int = 0) throws -> RetentionReportDocument {
        try #require(keeper.outcomes.count > place ? keeper.outcomes[place].report : nil)
    }

    @Test func `what is older than the cut-off goes, from the lane too, and is reported`() throws {
        try keeper.keep(ages: [400, 10, 366, 365, 500])
        try keeper.order()
        try keeper.settle()
        #expect(try keeper.ages() == [10, 365])
        let lane = try keeper.lane()
        #expect(lane.filter(\.isThere).map(\.key) == ["alarm-2", "alarm-4"])
        #expect(Set(lane.filter { !$0.isThere }.map(\.key)) == ["alarm-1", "alarm-3", "alarm-5"])
        let report = try report()
        #expect(report.service == "sample" && report.order == "run-\(SampleKeeper.now)" && !report.isDryRun)
        let oldest = SampleKeeper.now - 365 * SampleKeeper.day
        #expect(report.kinds == ["alarms": RetentionFigures(removed: 3, bytes: 30, oldest: oldest)])
        let told = try Journal.read(lane: .alerts, from: keeper.database.reader(), after: 0, kinds: [29]).blocks.count
        #expect(told == 1)
    }

    @Test func `a dry run changes nothing and counts what the real run then removes`() throws {
        try keeper.keep(ages: [400, 10, 366, 365, 500, 401, 402])
        let before = try keeper.tables()
        try keeper.order(isDryRun: true)
        try keeper.settle()
        #expect(try keeper.tables() == before && keeper.lane().count == 7)
        try keeper.order(issuedAt: SampleKeeper.now + 1)
        try keeper.settle()
        let counted = try [report(0), report(1)].map { $0.kinds.mapValues { [$0.removed, $0.bytes] } }
        #expect(try report(0).isDryRun && !report(1).isDryRun && counted[0] == counted[1])
        #expect(try report(1).kinds["alarms"]?.removed == 5)
    }

    @Test(arguments: 1...4) func `a crash between slices repeats and loses nothing`(slices: Int) throws {
        try keeper.keep(ages: [400, 401, 10, 402, 403, 404, 405, 406, 11])
        try keeper.order()
        keeper.alarms.slicesLeft = slices
        #expect(throws: SampleAlarms.Died.self) { try keeper.settle() }
        try keeper.restart()
        try keeper.settle()
        #expect(try keeper.ages() == [10, 11])
        #expect(try report().kinds["alarms"]?.removed == 7)
    }

    @Test(arguments: [false, true])
    func `a step that was rolled back is done again by the same process`(isAfterTick: Bool) throws {
        try keeper.keep(ages: [400, 401, 402, 403])
        try keeper.order()
        if isAfterTick { keeper.alarms.ticksLeft = 2 } else { keeper.alarms.slicesLeft = 2 }
        #expect(throws: SampleAlarms.Died.self) { try keeper.settle() }
        (keeper.alarms.slicesLeft, keeper.alarms.ticksLeft) = (.max, .max)
        try keeper.settle()
        #expect(try keeper.ages() == [] && report().kinds["alarms"]?.removed == 4)
    }

    @Test func `an order that is heard again is not executed again`() throws {
        try keeper.keep(ages: [400])
        try keeper.order()
        try keeper.settle()
        try keeper.keep(ages: [400])
        try keeper.order()
        try keeper.settle()
        try keeper.restart()
        try keeper.settle()
        #expect(try keeper.ages() == [400] && keeper.outcomes.count == 1)
        #expect(try keeper.database.read { try RetentionExecutor.done($0) } == keeper.outcomes)
    }

    @Test func `the newest order takes the place of one that is under way, and its report has both's figures`() throws {
        try keeper.keep(ages: [400, 401, 402, 403, 365])
        try keeper.order()
        try keeper.step()
        try keeper.order(issuedAt: SampleKeeper.now + SampleKeeper.day)
        try keeper.settle(now: SampleKeeper.now + SampleKeeper.day)
        #expect(try keeper.ages() == [] && keeper.outcomes.count == 1)
        #expect(try report().kinds["alarms"]?.removed == 5)
    }

    @Test func `whatever an order says, nothing goes that is younger than the least of its kind`() throws {
        try keeper.keep(ages: [29, 30, 31])
        try keeper.order(days: 0)
        try keeper.settle()
        #expect(try keeper.ages() == [29, 30])
    }

    @Test func `nothing is reported before the logs are empty`() throws {
        try keeper.keep(ages: [400])
        try keeper.order()
        keeper.alarms.isLogBusy = true
        try keeper.settle()
        #expect(keeper.outcomes.isEmpty)
        keeper.alarms.isLogBusy = false
        try keeper.settle(now: SampleKeeper.now + 1_000_000)
        #expect(keeper.outcomes.count == 1)
        // Also by a process that was killed in between.
        try keeper.keep(ages: [400])
        try keeper.order(issuedAt: SampleKeeper.now + 1)
        keeper.alarms.isLogBusy = true
        try keeper.settle()
        try keeper.restart()
        try keeper.settle(now: SampleKeeper.now + 2_000_000)
        #expect(try keeper.outcomes.count == 2 && report(1).kinds["alarms"]?.removed == 1)
    }
}
