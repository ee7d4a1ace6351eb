import Foundation
import GRDB
import Lanes
import Models
import Seeds
import Storage
import SubjectRights
import TemporaryFiles
import Testing
import Wire

@testable import RewardDispatcher

/// Figures of campaigns by day: whatever happens to grants, they are a function of those that there are.
struct CampaignFigureTests {
    private let start = RewardBench.start
    private let day: UnixMilliseconds = 86_400_000

    /// The last that the lane was told of each day.
    private func told(_ bench: RewardBench) throws -> [String: CampaignDayDocument] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .rewards, from: bench.database.reader(), after: 0, kinds: [RecordKind.campaignDay.id],
            limit: JournalPage.Limit(blocks: .max, bytes: .max)
        ).blocks.reduce(into: [:]) { told, block in
            for (_, document) in try block.columns(with: &decoder).documents(CampaignDayDocument.self) {
                told[document.key] = document
            }
        }
    }

    private func only(_ bench: RewardBench) throws -> CampaignDayDocument {
        let told = try told(bench)
        #expect(told.count == 1)
        return try #require(told.values.first)
    }

    /// Counted from the table of grants, without the product's own sums.
    private func expectEqual(_ bench: RewardBench, _ seed: Int) throws {
        for document in try told(bench).values {
            func sum(_ condition: String) throws -> CampaignDayDocument.Sum {
                let grants =
                    "FROM grants WHERE campaign = '\(document.campaign)' AND day = \(document.day) AND \(condition)"
                return CampaignDayDocument.Sum(
                    grants: try bench.number("SELECT count(*) \(grants)"),
                    xaf: try bench.number("SELECT coalesce(sum(amount), 0) \(grants)"))
            }
            #expect(document.granted == (try sum("TRUE")), "seed \(seed)")
            #expect(document.paid == (try sum("state = 'confirmed'")), "seed \(seed)")
            #expect(document.open == (try sum("state NOT IN ('confirmed', 'rejected', 'reversed')")), "seed \(seed)")
            #expect(document.rejected == (try sum("state = 'rejected'").grants), "seed \(seed)")
            #expect(document.reversed == (try sum("state = 'reversed'").grants), "seed \(seed)")
            #expect(document.held == (try sum("suspected <> '' AND state = 'pending'").grants), "seed \(seed)")
        }
        let open = try told(bench).values.reduce(0) { $0 + $1.open.xaf }
        let spent = try told(bench).values.reduce(open) { $0 + $1.paid.xaf }
        #expect(spent == -(try bench.total(.budget)), "seed \(seed): the ledger says so")
    }

    @Test func `figures are complete to the moment to which every lane of rewarded records is`() throws {
        let bench = try RewardBench()
        bench.effects.lanesComplete(to: [.realtime: 2_000])
        #expect(bench.effects.completeTo == nil)
        bench.effects.lanesComplete(to: [.realtime: 2_000, .batch: 1_000, .privacy: 500])
        #expect(bench.effects.completeTo == 1_000 && bench.effects.shownTo == nil)
    }

    @Test(arguments: 1...Seeds.share(of: 15))
    func `figures add up to grants and ledger after payments, refusals, reversals, erasures and restarts`(seed: Int)
        throws
    {
        var random = SplitMix64(seed: UInt64(seed)), schedule = RewardBench.schedule
        schedule.recheck = 5_000
        let bench = try RewardBench(RewardBench.campaign(dailyMaximum: 4), schedule: schedule, holdsSuspected: true)
        var seq: Int64 = 0, now = start, devices: Set<Int64> = [1, 2, 3, 4], reached: [Int64: Set<Int64>] = [:]
        for _ in 0..<40 {
            let rows = (0..<random.below(4)).map { _ in
                seq += 1
                return Given(
                    device: Int64(1 + random.below(4)), seq: seq, receivedAt: start + random.below(3) * day,
                    capturedAt: start + seq % 10 * 1_000 + 7, latitude: random.chance(percent: 50) ? 38_000_000 : nil,
                    longitude: 115_000_000)
            }.filter { devices.contains($0.device) }
            if !rows.isEmpty { try bench.give(rows, at: now) }
            for row in rows {
                reached[(row.receivedAt + 3_600_000) / day, default: []].insert(row.device)
            }
            now += 1_500
            try bench.tick(now)
            for call in bench.takeCalls() {
                let answers: [ProviderAnswer] = [
                    .confirmed("x"), .rejected("no"), .failed("busy"), .reversed("back"), .unknown("?"),
                ]
                bench.effects.answers.add(random.pick(answers), to: call)
            }
            if random.chance(percent: 10) { try bench.restart() }
            if random.chance(percent: 3), !devices.isEmpty {
                let gone = random.pick(devices.sorted())
                devices.remove(gone)
                try bench.erase(gone)
            }
            try expectEqual(bench, seed)
        }
        for document in try told(bench).values {
            #expect(
                document.devices == Int64(reached[document.day]?.count ?? 0), "seed \(seed): who is erased was reached")
        }
        let all = reached.values.reduce(into: Set()) { $0.formUnion($1) }
        #expect(try told(bench).values.reduce(0) { $0 + $1.newDevices } == Int64(all.count), "seed \(seed)")
    }

    @Test func `what was refused is counted by the campaign that covers it, and by the reason`() throws {
        var campaign = RewardBench.campaign(dailyMaximum: 1)
        campaign.operators = ["62401"]
        let bench = try RewardBench(campaign)
        try bench.give([
            Given(seq: 1), Given(seq: 2), Given(seq: 3, isMocked: true),
            Given(seq: 4, flags: RowFlags.notForRewards.rawValue), Given(seq: 5, mnc: 2),
        ])
        let document = try only(bench)
        #expect(document.refused == ["daily_maximum": 1, "mock_location": 1, "no_consent": 1])
        #expect(document.operators == ["62401"] && document.granted.grants == 1)
        // A campaign that refuses all of a block is told, too.
        try bench.give([Given(seq: 6)])
        #expect(try only(bench).refused["daily_maximum"] == 2)
    }

    @Test func `networks of a day are all that the campaign was for`() throws {
        let bench = try RewardBench()
        for (seq, operators) in [["62401"], ["62402", "62401"], []].enumerated() {
            var campaign = RewardBench.campaign("spring")
            campaign.operators = operators
            try bench.publish("spring", campaign)
            try bench.give([Given(seq: Int64(seq))])
            #expect(try only(bench).operators == [["62401"], ["62401", "62402"], []][seq])
        }
    }

    @Test func `a record is useful if it has a position and nothing is odd about it`() throws {
        let bench = try RewardBench(holdsSuspected: true)
        let minute = start - start % 60_000
        try bench.give(
            (1...8).map { Given(seq: $0, capturedAt: minute + $0, latitude: 38_000_000, longitude: 115_000_000) })
        try bench.give([Given(device: 2, seq: 9)])
        let document = try only(bench)
        #expect(document.granted.grants == 9 && document.held == 2 && document.useful == 6)
        let held = try bench.texts("SELECT id FROM grants WHERE suspected <> ''")
        for (id, result) in zip(held, [DecidedResult.released, .rejected]) {
            let decision = GrantDecision(GrantID(stored: id), result, by: "ann", why: "seen")
            try bench.database.write { try bench.effects.take(decision, $0) }
        }
        try bench.tick(start + 1)
        let decided = try only(bench)
        #expect(decided.held == 0 && decided.useful == 7 && decided.rejected == 1)
    }

    @Test func `coverage is won where nothing came for 28 days, by network, and not by records that are not paid`()
        throws
    {
        let bench = try RewardBench(RewardBench.campaign(dailyMaximum: 100))
        func give(_ seq: Int64, _ latitude: Int64, day number: Int64, mnc: Int64 = 1, isMocked: Bool = false) throws {
            try bench.give([
                Given(
                    seq: seq, receivedAt: start + number * day, mnc: mnc, isMocked: isMocked, latitude: latitude,
                    longitude: 115_000_000)
            ])
        }
        func won(_ number: Int64) throws -> Int64? {
            try told(bench)[
                "\(CivilDay.number(of: start + number * day, in: TimeZone(identifier: "Africa/Douala")!))/built-in"]?
                .newCells
        }
        try give(1, 38_000_000, day: 0)
        try give(2, 38_001_000, day: 0)
        #expect(try won(0) == 1, "some metres away is the same cell")
        try give(3, 38_000_000, day: 0, mnc: 2)
        #expect(try won(0) == 2, "another network has a map of its own")
        try give(4, 45_000_000, day: 1, isMocked: true)
        try give(5, 45_000_000, day: 1)
        #expect(try won(1) == 1, "a position that is made up covers nothing")
        try give(6, 38_000_000, day: 28)
        #expect(try won(28) == 0)
        try give(7, 38_000_000, day: 57)
        #expect(try won(57) == 1)
        try give(8, 60_000_000, day: 57)
        try give(8, 60_000_000, day: 57)
        #expect(try won(57) == 2, "delivered again it wins nothing")
    }

    @Test func `only records of cells from which little came are paid for, if a campaign wants that`() throws {
        var campaign = RewardBench.campaign()
        campaign.undersampledCell = UndersampledCell(records: 2, days: 3)
        let bench = try RewardBench(campaign)
        func give(_ seq: Int64, day number: Int64, latitude: Int64? = 38_000_000) throws {
            try bench.give([
                Given(
                    seq: seq, receivedAt: start + number * day, latitude: latitude,
                    longitude: latitude == nil ? nil : 115_000_000)
            ])
        }
        for seq in 1...3 as ClosedRange<Int64> { try give(seq, day: 0) }
        #expect(try bench.number("SELECT count(*) FROM grants") == 2 && bench.refusals()[.wellSampled] == 1)
        try give(4, day: 3)
        #expect(try bench.number("SELECT count(*) FROM grants") == 2, "those of three days ago still count")
        try give(5, day: 4)
        #expect(try bench.number("SELECT count(*) FROM grants") == 3)
        try give(6, day: 4, latitude: nil)
        #expect(try bench.number("SELECT count(*) FROM grants") == 3 && bench.refusals()[.wellSampled] == 3)
    }

    @Test func `grants from before there were figures are in them, and what becomes of them later`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/state.sqlite"
        let before = try ServiceDatabase(
            path: path,
            migrations: Array(RewardDispatcherEffects.migrations.prefix { $0.name != CampaignDayStore.migration.name }))
        try before.write { db in
            for (id, device, day, state, owner) in [
                ("a", 1, 20_000, "confirmed", nil), ("b", 1, 20_000, "pending", nil), ("c", 2, 20_000, "rejected", nil),
                ("d", 0, 20_001, "confirmed", "erased-x"), ("e", 0, 20_001, "reversed", "erased-x"),
                ("f", 1, 20_001, "unknown", nil),
            ] as [(String, Int64, Int64, String, String?)] {
                try db.execute(
                    sql: """
                        INSERT INTO grants (id, device, campaign, record, day, amount, state, attempts, asks, moves, sent_at,
                            changed_at, due_at, reason, erased_owner, erased_id)
                        VALUES (?, ?, 'spring', ?, ?, 50, ?, 1, 0, 1, 0, 0, NULL, '', ?, ?)
                        """,
                    arguments: [id, device, Data(id.utf8), day, state, owner, owner.map { _ in id }])
            }
        }
        try before.close()
        let bench = try RewardBench(path: path)
        try bench.tick(start)
        let told = try told(bench), first = try #require(told["20000/spring"]),
            second = try #require(told["20001/spring"])
        #expect(first.granted == .init(grants: 3, xaf: 150) && first.paid.grants == 1 && first.open.grants == 1)
        #expect(first.rejected == 1 && first.devices == 2 && first.newDevices == 2)
        #expect(second.devices == 2 && second.newDevices == 1 && second.reversed == 1 && second.useful == 0)
        #expect(try bench.number("SELECT count(*) FROM campaign_days WHERE told = 0") == 0)
    }
}
