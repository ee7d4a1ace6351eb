import Models
import Storage
import TemporaryFiles
import Testing

@testable import RewardDispatcher

/// What campaigns grant at most.
struct CampaignLimitTests {
    private let start = RewardBench.start

    private func campaign(_ change: (inout CampaignDocument) -> Void) -> CampaignDocument {
        var campaign = RewardBench.campaign(amount: 50)
        change(&campaign)
        return campaign
    }

    private func granted(_ bench: RewardBench) throws -> Int64 { try bench.number("SELECT count(*) FROM grants") }

    @Test(arguments: 1...10)
    func `a budget is never overdrawn, whatever is rejected, and what comes back is granted again`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let bench = try RewardBench(campaign { $0.budgetXAF = 525 })
        var seq: Int64 = 0, now = start
        for _ in 0..<60 {
            let rows = (0..<random.below(6)).map { _ in
                seq += 1
                return Given(device: Int64(1 + random.below(4)), seq: seq)
            }
            if !rows.isEmpty { try bench.give(rows, at: now) }
            now += 1_000
            try bench.tick(now)
            for call in bench.takeCalls() {
                let answer: ProviderAnswer = random.chance(percent: 30) ? .rejected("no") : .confirmed("x")
                bench.effects.answers.add(answer, to: call)
            }
            if random.chance(percent: 10) { try bench.restart() }
            #expect(try bench.total(.budget) >= -525)
        }
        // Ten grants fit, and no part of one.
        try bench.give((1...20).map { Given(seq: seq + $0) }, at: now)
        #expect(try bench.total(.budget) == -500)
        #expect(bench.refusals()[.budget] ?? 0 > 0)
    }

    @Test func `a cell has its own budget each day, and records without a position share one`() throws {
        let bench = try RewardBench(campaign { $0.cellDayBudgetXAF = 100 })
        func rows(_ seq: Int64, _ latitude: Int64?, _ receivedAt: UnixMilliseconds) -> [Given] {
            (0..<5).map {
                Given(
                    seq: seq + $0, receivedAt: receivedAt, latitude: latitude,
                    longitude: latitude == nil ? nil : 115_000_000)
            }
        }
        try bench.give(rows(0, 38_000_000, start) + rows(10, 38_001_000, start))
        #expect(try granted(bench) == 2, "some metres away is the same cell")
        try bench.give(rows(20, 45_000_000, start) + rows(30, nil, start) + rows(40, nil, start))
        #expect(try granted(bench) == 6)
        try bench.give(rows(50, 38_000_000, start + 86_400_000))
        #expect(try granted(bench) == 8 && bench.refusals()[.cellBudget] == 22)
        // Cells of long ago are forgotten.
        try bench.give(rows(60, nil, start + 20 * 86_400_000))
        #expect(try bench.number("SELECT count(*) FROM campaign_cells") == 1)
    }

    @Test func `a device has its maximum in all, and the devices of a number together one a day`() throws {
        let bench = try RewardBench(campaign { $0.deviceMaximum = 3 })
        for day in 0..<3 as Range<Int64> {
            try bench.give((0..<2).map { Given(seq: day * 2 + $0, receivedAt: start + day * 86_400_000) })
        }
        #expect(try granted(bench) == 3 && bench.refusals()[.deviceMaximum] == 3)
        let directory = try TemporaryDirectory(), keys = try PayoutKeys(KeyStore(directory: directory.path + "/keys"))
        let shared = try RewardBench(campaign { $0.numberDailyMaximum = 4 }, payoutKeys: keys)
        var payouts = PayoutBench(keys)
        try shared.take(payouts.block([(1, "+237670000001"), (2, "+237670000001"), (3, "+237670000003")]))
        try shared.give((1...3).flatMap { device in (0..<3).map { Given(device: device, seq: $0) } })
        #expect(try granted(shared) == 7 && shared.refusals()[.numberDailyMaximum] == 2)
    }

    @Test func `only feedback that answers a prompt is paid for, if a campaign wants that`() throws {
        let bench = try RewardBench(campaign { $0.isPromptedOnly = true })
        try bench.give([Given(seq: 1), Given(seq: 2, prompt: "p1")])
        #expect(try granted(bench) == 1 && bench.refusals()[.noCampaign] == 1)
    }

    @Test func `a campaign whose limits are none is as good as removed`() throws {
        let bench = try RewardBench()
        for (name, change) in [
            ("a", { $0.budgetXAF = 0 }), ("b", { $0.cellDayBudgetXAF = -1 }), ("c", { $0.deviceMaximum = 0 }),
        ] as [(String, (inout CampaignDocument) -> Void)] {
            var document = RewardBench.campaign(name)
            change(&document)
            try bench.publish(name, document)
        }
        #expect(bench.reports.map(\.unusableCampaigns).reduce(0, +) == 3)
        try bench.give([Given(seq: 1)])
        #expect(try granted(bench) == 0)
    }
}
