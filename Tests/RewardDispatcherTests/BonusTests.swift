import Models
import Seeds
import Storage
import Testing

@testable import RewardDispatcher

/// What campaigns pay beside records: for what devices contribute, and for emergencies that others confirm.
struct BonusTests {
    private static let start = RewardBench.start
    private static let day: UnixMilliseconds = 86_400_000
    private static let minute: UnixMilliseconds = 60_000

    // MARK: - Milestones

    private static func milestone(_ records: Int64, repeats: Bool, dailyMaximum: Int64 = 0) -> CampaignDocument {
        var campaign = RewardBench.campaign("fifty", amount: 500, dailyMaximum: dailyMaximum)
        (campaign.from, campaign.to) = (start, start + 30 * day)
        campaign.milestone = CampaignMilestone(records: records, repeats: repeats)
        return campaign
    }

    private func bench(_ campaigns: CampaignDocument..., holds: Bool = false) throws -> RewardBench {
        let bench = try RewardBench(nil, holdsSuspected: holds)
        for campaign in campaigns { try bench.publish(campaign.id, campaign) }
        return bench
    }

    /// So many records of a device, captured and received on a day.
    private func give(_ bench: RewardBench, _ device: Int64, _ count: Int64, on number: Int64, mnc: Int64 = 1) throws {
        let at = Self.start + number * Self.day
        try bench.give(
            (0..<count).map {
                Given(
                    device: device, seq: number * 1_000 + $0, receivedAt: at, capturedAt: at + $0 * Self.minute,
                    mnc: mnc)
            }, at: at)
    }

    private func grants(_ bench: RewardBench, _ device: Int64 = 1) throws -> Int64 {
        try bench.number("SELECT count(*) FROM grants WHERE device = \(device)")
    }

    @Test func `who has contributed so much is paid, once or each time`() throws {
        for repeats in [false, true] {
            let bench = try bench(Self.milestone(5, repeats: repeats))
            try give(bench, 1, 4, on: 0)
            #expect(try grants(bench) == 0)
            try give(bench, 1, 1, on: 1)
            #expect(try grants(bench) == 1)
            try bench.restart()
            try give(bench, 1, 12, on: 2)
            try give(bench, 2, 4, on: 2)
            #expect(try grants(bench) == (repeats ? 3 : 1) && grants(bench, 2) == 0)
            #expect(try bench.number("SELECT sum(amount) FROM grants") == (repeats ? 1_500 : 500))
        }
    }

    @Test func `only captures of the campaign's days count, and what comes late does`() throws {
        let bench = try bench(Self.milestone(3, repeats: false))
        let late = Self.start + 33 * Self.day
        func given(_ seq: Int64, capturedOn day: Int64) -> Given {
            Given(seq: seq, receivedAt: late, capturedAt: Self.start + day * Self.day)
        }
        try bench.give([given(1, capturedOn: 31), given(2, capturedOn: 28), given(3, capturedOn: 29)], at: late)
        #expect(try grants(bench) == 0)
        try bench.give([given(4, capturedOn: 27)], at: late)
        #expect(try grants(bench) == 1)
    }

    @Test func `its budget and limits hold, and what they refused is paid with a later record`() throws {
        var campaign = Self.milestone(2, repeats: true, dailyMaximum: 1)
        campaign.budgetXAF = 1_000
        campaign.operators = ["62401"]
        let bench = try bench(campaign)
        try give(bench, 1, 4, on: 0)
        #expect(try grants(bench) == 1 && bench.refusals()[.dailyMaximum] == 1)
        try give(bench, 1, 1, on: 1, mnc: 2)
        #expect(try grants(bench) == 1, "the record is of another network")
        try give(bench, 1, 1, on: 2)
        #expect(try grants(bench) == 2)
        try give(bench, 1, 2, on: 3)
        #expect(try grants(bench) == 2 && (bench.refusals()[.budget] ?? 0) > 0)
    }

    @Test func `made up positions, those without consent and those who burst are not paid`() throws {
        let bench = try bench(Self.milestone(2, repeats: false), holds: true)
        try bench.give([Given(device: 1, seq: 1, isMocked: true), Given(device: 1, seq: 2, isMocked: true)])
        try bench.give([
            Given(device: 2, seq: 1, flags: RowFlags.notForRewards.rawValue),
            Given(device: 2, seq: 2, flags: RowFlags.notForRewards.rawValue),
        ])
        #expect(try grants(bench) == 0 && grants(bench, 2) == 0)
        try bench.give(
            (1...40).map { Given(device: 3, seq: $0, receivedAt: Self.start, capturedAt: Self.start + $0) })
        #expect(try grants(bench, 3) == 1)
        let other = try self.bench(Self.milestone(40, repeats: false), holds: true)
        try other.give(
            (1...40).map { Given(device: 3, seq: $0, receivedAt: Self.start, capturedAt: Self.start + $0) })
        #expect(try other.texts("SELECT suspected FROM grants") == ["burst"])
    }

    // MARK: - Confirmed emergencies

    private static func confirmed(_ devices: Int64, _ minutes: Int64, _ id: String = "sos") -> CampaignDocument {
        var campaign = RewardBench.campaign(id, amount: 100)
        campaign.confirmedEmergency = ConfirmedEmergency(devices: devices, minutes: minutes)
        return campaign
    }

    private static func emergency(
        _ device: Int64, _ seq: Int64 = 1, at minutes: Int64, cell: Int64 = 0, mnc: Int64? = 1
    ) -> Given {
        Given(
            device: device, seq: seq, receivedAt: start + day, capturedAt: start + minutes * minute, mnc: mnc,
            latitude: 38_000_000 + cell * 1_000_000, longitude: 115_000_000, isEmergency: true)
    }

    private func paid(_ bench: RewardBench, by campaign: String = "sos") throws -> [String] {
        try bench.texts(
            "SELECT CAST(device AS TEXT) FROM grants WHERE campaign = '\(campaign)' ORDER BY device, record")
    }

    @Test func `an emergency is paid once enough others have reported one from there, whatever their network`() throws {
        let bench = try bench(Self.confirmed(2, 30))
        try bench.give([Self.emergency(1, at: 0)])
        try bench.give([Self.emergency(2, at: 20, mnc: 2), Self.emergency(1, 2, at: 5)])
        try bench.give([Self.emergency(3, at: 10, cell: 1), Self.emergency(4, at: 51)])
        var ordinary = Self.emergency(5, at: 10)
        ordinary.isEmergency = false
        try bench.give([ordinary])
        #expect(try paid(bench).isEmpty)
        try bench.restart()
        try bench.give([Self.emergency(6, at: 35)])
        // 2 has 1 and 6 within half an hour, 6 has 2 and 4; 1 and 4 have one each.
        #expect(try paid(bench) == ["2", "6"])
        try bench.give([Self.emergency(6, at: 35), Self.emergency(7, at: 16)])
        #expect(try paid(bench) == ["1", "2", "6", "7"])
    }

    @Test func `it is paid beside what another campaign pays for the record`() throws {
        let bench = try bench(RewardBench.campaign("all", amount: 50), Self.confirmed(1, 30))
        try bench.give([Self.emergency(1, at: 0), Self.emergency(2, at: 1)])
        #expect(try paid(bench) == ["1", "2"] && paid(bench, by: "all") == ["1", "2"])
    }

    @Test func `without a campaign nothing is kept of emergencies, and otherwise for ten days`() throws {
        let bench = try bench(RewardBench.campaign("all"))
        func kept() throws -> Int64 { try bench.number("SELECT count(*) FROM emergencies") }
        try bench.give([Self.emergency(1, at: 0)])
        #expect(try kept() == 0)
        try bench.publish("sos", Self.confirmed(1, 30))
        try bench.give([Self.emergency(2, at: 0)])
        #expect(try kept() == 1)
        try bench.erase(2)
        #expect(try kept() == 0)
        try bench.give([Self.emergency(3, at: 0)])
        try bench.give([Given(device: 4, seq: 2, receivedAt: Self.start + 12 * Self.day)])
        #expect(try kept() == 0, "whatever comes on a later day")
        try bench.give([Self.emergency(4, at: 0, cell: 1)], at: Self.start + 12 * Self.day)
        #expect(try kept() == 1)
        try bench.publish("sos", nil)
        #expect(try kept() == 0)
    }

    @Test(arguments: 1...Seeds.share(of: 20))
    func `who is paid is who had enough others around, in whatever order they come`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let campaigns = [Self.confirmed(1 + random.below(4), 10 + random.below(40)), Self.confirmed(2, 25, "two")]
        let longest = campaigns.compactMap(\.confirmedEmergency?.minutes).max()!
        let bench = try bench(campaigns[0], campaigns[1])
        var taken: [Given] = []
        for seq in 1...60 as ClosedRange<Int64> {
            let given = Self.emergency(
                1 + random.below(12), seq, at: random.below(300), cell: random.below(3))
            try bench.give([given])
            let isNear = taken.contains {
                $0.device == given.device && $0.latitude == given.latitude
                    && abs($0.capturedAt! - given.capturedAt!) <= longest * Self.minute
            }
            if !isNear { taken.append(given) }
            if random.chance(percent: 10) { try bench.restart() }
        }
        for campaign in campaigns {
            let condition = campaign.confirmedEmergency!
            let expected = taken.filter { one in
                let others = taken.filter {
                    $0.latitude == one.latitude && $0.device != one.device
                        && abs($0.capturedAt! - one.capturedAt!) <= condition.minutes * Self.minute
                }
                return Set(others.map(\.device)).count >= condition.devices
            }
            let found = try paid(bench, by: campaign.id)
            #expect(found == expected.map { String($0.device) }.sorted { Int($0)! < Int($1)! }, "seed \(seed)")
        }
        #expect(try bench.number("SELECT count(*) FROM grants") > 0, "seed \(seed)")
    }
}
