import Engagement
import Foundation
import Models
import Testing

@testable import RewardDispatcher

/// Competitions of campaigns: who wins is a function of accepted records, late ones and erasures included.
struct CompetitionTests {
    private let start = RewardBench.start
    private let day: UnixMilliseconds = 86_400_000

    /// From the first day of the bench on, to the same time ten days later; the winner is known 8 days after the last of them.
    private func campaign(winners: Int64 = 2, least: Int64 = 2, budget: Int64? = nil) -> CampaignDocument {
        var campaign = RewardBench.campaign("cup", amount: 1_000)
        campaign.from = start
        campaign.to = start + 10 * day
        campaign.budgetXAF = budget
        campaign.competition = CampaignCompetition(winners: winners, least: least)
        return campaign
    }

    private func bench(_ campaign: CampaignDocument) throws -> RewardBench {
        let bench = try RewardBench(nil)
        try bench.publish("cup", campaign)
        return bench
    }

    /// So many records of a device, captured on a day.
    private func give(_ bench: RewardBench, _ device: Int64, _ count: Int64, on number: Int64, first: Int64 = 0) throws
    {
        guard count > 0 else { return }
        try bench.give(
            (0..<count).map {
                Given(
                    device: device, seq: first + number * 1_000 + $0, receivedAt: start + number * day,
                    capturedAt: start + number * day + $0)
            })
    }

    private func winners(_ bench: RewardBench) throws -> [String] {
        try bench.texts("SELECT CAST(device AS TEXT) FROM grants WHERE campaign = 'cup' ORDER BY device")
    }

    @Test func `those with most records of its days win once late ones have come, and nothing is paid for a record`()
        throws
    {
        let bench = try bench(campaign())
        try give(bench, 1, 5, on: 0)
        try give(bench, 2, 4, on: 3)
        try give(bench, 3, 9, on: 11)
        try give(bench, 4, 3, on: 9)
        #expect(try winners(bench).isEmpty)
        // A record that comes a week late counts on the day on which it was captured.
        try bench.tick(start + 18 * day)
        #expect(try winners(bench).isEmpty, "late records still come")
        try give(bench, 4, 2, on: 9, first: 500)
        try bench.tick(start + 19 * day + 1)
        #expect(try winners(bench) == ["1", "4"])
        #expect(try bench.number("SELECT sum(amount) FROM grants") == 2_000)
        try bench.restart()
        for hour in 0..<30 { try bench.tick(start + 20 * day + Int64(hour) * 3_600_000) }
        #expect(try winners(bench) == ["1", "4"], "it is decided once")
    }

    @Test func `ties all win, and who has too little does not`() throws {
        let bench = try bench(campaign(winners: 1, least: 3))
        for device in 1...3 as ClosedRange<Int64> { try give(bench, device, device == 3 ? 2 : 4, on: 1) }
        try bench.tick(start + 19 * day + 1)
        #expect(try winners(bench) == ["1", "2"])
        let few = try self.bench(campaign(winners: 1, least: 3))
        try give(few, 1, 2, on: 1)
        try few.tick(start + 19 * day + 1)
        #expect(try winners(few).isEmpty && few.number("SELECT count(*) FROM competitions_over") == 1)
    }

    @Test func `who is erased before the end has not taken part, and who was second is first`() throws {
        let bench = try bench(campaign(winners: 1))
        for device in 1...3 as ClosedRange<Int64> { try give(bench, device, 10 - device, on: 2) }
        try bench.erase(1)
        try bench.tick(start + 19 * day + 1)
        #expect(try winners(bench) == ["2"])
    }

    @Test(arguments: 1...10)
    func `in any order, again and late, and with erasures, the winners are those of the set of records`(seed: Int)
        throws
    {
        var random = SplitMix64(seed: UInt64(seed))
        let bench = try bench(campaign(winners: 3, least: 1)), zone = TimeZone(identifier: "Africa/Douala")!
        let rows = (1...80).map { seq in
            Given(
                device: Int64(1 + random.below(8)), seq: Int64(seq), receivedAt: start,
                capturedAt: start - day + random.below(13) * day, isMocked: random.chance(percent: 10),
                flags: random.chance(percent: 10) ? RowFlags.notForRewards.rawValue : nil)
        }
        let gone = Int64(1 + random.below(8))
        for row in rows + rows.filter({ _ in random.chance(percent: 30) }) { try bench.give([row]) }
        try bench.erase(gone)
        try bench.tick(start + 19 * day + 1)
        let days = CivilDay.number(of: start, in: zone)...CivilDay.number(of: start + 10 * day - 1, in: zone)
        var scores: [Int64: Int] = [:]
        for row in rows where row.device != gone && !row.isMocked && row.flags == nil {
            if days.contains(CivilDay.number(of: row.capturedAt!, in: zone)) { scores[row.device, default: 0] += 1 }
        }
        let wanted = scores.keys.filter { device in scores.values.count { $0 > scores[device]! } < 3 }.sorted()
        #expect(try winners(bench) == wanted.map { String($0) }, "seed \(seed)")
    }

    @Test func `a budget pays the first, and says that it did not go further`() throws {
        let bench = try bench(campaign(winners: 3, budget: 2_500))
        for device in 1...3 as ClosedRange<Int64> { try give(bench, device, 2 + device, on: 2) }
        try bench.tick(start + 19 * day + 1)
        #expect(try winners(bench) == ["2", "3"] && bench.refusals()[.budget] == 1)
    }

    @Test func `a campaign that ends nothing is never looked at again, and one that begins later is`() throws {
        let bench = try bench(campaign())
        try bench.tick(start)
        #expect(try #require(bench.effects.nextTick) <= start + 3_600_000)
        try bench.publish("cup", nil)
        try bench.tick(start + 1)
        #expect(bench.effects.nextTick.map { $0 > start + day } ?? true)
    }
}
