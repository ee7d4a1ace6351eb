import Engagement
import Foundation
import GRDB
import Lanes
import Models
import Storage
import Testing
import Wire

@testable import RewardDispatcher

/// What devices reach by what they contribute, as the dispatcher tells it.
struct EngagementEffectsTests {
    private let start = RewardBench.start
    private let day: UnixMilliseconds = 86_400_000

    /// The last that was told of each device.
    private func told(_ bench: RewardBench) throws -> [UInt64: ProgressDocument] {
        var decoder = ColumnDecoder()
        let page = try Journal.read(
            lane: .rewards, from: bench.database.reader(), after: 0, kinds: [RecordKind.progress.id])
        var told: [UInt64: ProgressDocument] = [:]
        for block in page.blocks {
            let columns = try block.columns(with: &decoder)
            for row in 0..<columns.rowCount {
                guard let text = columns[ColumnID.document]?.value(row) else { continue }
                let document = try JSONDecoder().decode(ProgressDocument.self, from: Data(text))
                told[document.device] = document
            }
        }
        return told
    }

    /// What there must be: from the facts alone.
    private func wanted(_ rows: [Given], device: Int64) -> ProgressDocument {
        let facts = Set(
            rows.filter { $0.device == device && !$0.isMocked && $0.flags == nil }.map {
                EngagementFact(
                    "feedback", $0.record,
                    day: CivilDay.number(of: $0.capturedAt ?? $0.receivedAt, in: TimeZone(identifier: "Africa/Douala")!)
                )
            })
        return EngagementRules.standard(["feedback"]).progress(of: UInt64(device), ["feedback": DayTallies(facts)])
    }

    @Test(arguments: 1...10)
    func `whatever order records come in, again and late, what is told is that of the set of them`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let bench = try RewardBench()
        let rows = (1...60).map { seq in
            Given(
                device: Int64(1 + random.below(3)), seq: Int64(seq), receivedAt: start,
                capturedAt: random.chance(percent: 90) ? start - Int64(random.below(40)) * day / 2 : nil,
                isMocked: random.chance(percent: 10),
                flags: random.chance(percent: 10) ? RowFlags.notForRewards.rawValue : nil)
        }
        for row in rows + rows.filter({ _ in random.chance(percent: 50) }).shuffled() { try bench.give([row]) }
        let told = try told(bench)
        for device in 1...3 as ClosedRange<Int64> { #expect(told[UInt64(device)] == wanted(rows, device: device)) }
    }

    @Test func `records without a campaign count, and a restart counts nothing twice`() throws {
        let bench = try RewardBench(nil)
        try bench.give([Given(seq: 1), Given(seq: 2)])
        try bench.restart()
        try bench.give([Given(seq: 2), Given(seq: 3)])
        let told = try #require(try told(bench)[1])
        #expect(told.totals == ["feedback": 3] && told.badges.map(\.badge) == ["feedback_1"])
        #expect(try bench.number("SELECT count(*) FROM grants") == 0)
    }

    @Test func `an erasure takes what a device has reached, and nothing of others`() throws {
        let bench = try RewardBench()
        let rows = (1...9).map { Given(device: 1 + $0 % 2, seq: $0) }
        try bench.give(rows)
        try bench.erase(1)
        #expect(try bench.number("SELECT count(*) FROM engagement_facts WHERE device = 1") == 0)
        #expect(try bench.number("SELECT count(*) FROM engagement_days WHERE device = 1") == 0)
        let told = try told(bench)
        #expect(told[1] == nil && told[2] == wanted(rows, device: 2))
    }
}
