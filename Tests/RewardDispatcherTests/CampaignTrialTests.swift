import Models
import Storage
import Testing

@testable import RewardDispatcher

/// A trial decides as the dispatcher does.
struct CampaignTrialTests {
    private let start = RewardBench.start

    private func trial(_ rows: [Given], _ campaign: CampaignDocument, holds: Bool = false) throws -> CampaignTrial {
        let trial = try CampaignTrial(campaign, timeZone: "Africa/Douala", holdsSuspected: holds)
        try trial.take(
            rows.map { row in
                var record = CampaignTrial.Record(
                    kind: "feedback", device: UInt64(row.device), receivedAt: row.receivedAt,
                    capturedAt: row.capturedAt ?? row.receivedAt, plmn: PLMN(mcc: 624, mnc: row.mnc))
                (record.latitude, record.longitude) = (row.latitude, row.longitude)
                (record.isMocked, record.isEmergency) = (row.isMocked, row.isEmergency)
                return record
            })
        return trial
    }

    @Test(arguments: 1...10)
    func `it grants, refuses and holds what the dispatcher does for the same records`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed)), campaign = RewardBench.campaign(dailyMaximum: 3)
        campaign.budgetXAF = 50 * (10 + random.below(30))
        campaign.cellDayBudgetXAF = 200
        switch random.below(4) {
        case 0: campaign.undersampledCell = UndersampledCell(records: 8, days: 2)
        case 1: campaign.milestone = CampaignMilestone(records: 4, repeats: true)
        case 2: campaign.confirmedEmergency = ConfirmedEmergency(devices: 2, minutes: 600)
        default: break
        }
        let rows = (1...120).map { seq in
            Given(
                device: Int64(1 + random.below(9)), seq: Int64(seq), receivedAt: start + Int64(seq) * 3_600_000,
                capturedAt: start + Int64(seq) * 3_600_000 - random.below(1_000), mnc: random.pick([1, 1, 2]),
                isMocked: random.chance(percent: 5), latitude: 38_000_000 + random.below(3) * 1_000_000,
                longitude: 115_000_000, isEmergency: random.chance(percent: 40))
        }
        let bench = try RewardBench(campaign, holdsSuspected: true)
        for row in rows { try bench.give([row], at: row.receivedAt) }
        let days = try bench.database.read { try CampaignDayStore().days(of: campaign.id, $0) }
        let trial = try trial(rows, campaign, holds: true)
        #expect(try trial.days() == days, "seed \(seed)")
        #expect(
            (trial.budgetEndedAt != nil) == (days.contains { $0.refused["budget_exhausted"] != nil }), "seed \(seed)")
    }

    @Test func `it says when the budget ends, and what the campaign is not for`() throws {
        var campaign = RewardBench.campaign()
        campaign.budgetXAF = 100
        campaign.operators = ["62401"]
        let rows = (0..<5).map { Given(seq: $0, receivedAt: start + $0, mnc: $0 == 0 ? 2 : 1) }
        let trial = try trial(rows, campaign)
        #expect(trial.budgetEndedAt == start + 3 && trial.uncovered == 1)
        #expect(try trial.days().map(\.granted) == [.init(grants: 2, xaf: 100)])
    }
}
