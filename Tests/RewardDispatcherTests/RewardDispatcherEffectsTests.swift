import Foundation
import GRDB
import Lanes
import Models
import ServiceKit
import Storage
import TemporaryFiles
import Testing
import Wire

@testable import RewardDispatcher

struct RewardDispatcherEffectsTests {
    private let start = RewardBench.start

    @Test func `a feedback has one grant, whichever lane it comes on and however often`() throws {
        let bench = try RewardBench()
        for lane in [LaneName.batch, .realtime, .batch, .realtime, .batch] { try bench.give([Given()], on: lane) }
        #expect(try bench.number("SELECT count(*) FROM grants") == 1)
        #expect(try bench.total(.owed) + bench.total(.float) == 50 && bench.total(.budget) == -50)
        #expect(bench.refusals() == [.repeated: 4])
    }

    @Test func `made-up positions and devices without consent to rewards get nothing`() throws {
        let bench = try RewardBench()
        try bench.give([
            Given(seq: 1, isMocked: true), Given(seq: 2, flags: RowFlags.notForRewards.rawValue),
            Given(seq: 3, flags: RowFlags([.notForRewards, .consentReduced]).rawValue),
            Given(seq: 4, flags: RowFlags.consentReduced.rawValue),
        ])
        #expect(try bench.number("SELECT count(*) FROM grants") == 1)
        #expect(bench.refusals() == [.mocked: 1, .noConsent: 2])
    }

    @Test(
        arguments: [
            (TrustPolicy.any, [1, 2, 3, 4], [:]), (.aged, [2, 3, 4], [.untrusted: 1]),
            (.trusted, [3, 4], [.untrusted: 2]),
        ] as [(TrustPolicy, [Int64], [GrantRefusal: Int])])
    func `feedback is rewarded as far as its device is trusted, and what is refused is counted`(
        policy: TrustPolicy, rewarded: [Int64], refusals: [GrantRefusal: Int]
    ) throws {
        let bench = try RewardBench(trust: policy)
        let devices: [RowFlags] = [[.notTrusted, .young], .notTrusted, .young, []]
        try bench.give(devices.enumerated().map { Given(device: Int64($0 + 1), flags: $1.rawValue) })
        let found = try bench.database.read { try Int64.fetchAll($0, sql: "SELECT device FROM grants ORDER BY device") }
        #expect(found == rewarded && bench.refusals() == refusals)
    }

    @Test func `a feedback that was refused for want of trust is not rewarded later, the next one is`() throws {
        let bench = try RewardBench(trust: .trusted)
        let first = Given(seq: 1, flags: RowFlags.notTrusted.rawValue)
        for _ in 0..<2 { try bench.give([first]) }
        try bench.give([Given(seq: 2)])
        try bench.give([first])
        #expect(try bench.number("SELECT count(*) FROM grants") == 1)
        #expect(bench.refusals() == [.untrusted: 3])
    }

    @Test func `without consent is said before untrusted, and untrusted before without campaign`() throws {
        let bench = try RewardBench(nil, trust: .trusted)
        try bench.give([
            Given(seq: 1, flags: RowFlags([.notTrusted, .notForRewards]).rawValue),
            Given(seq: 2, flags: RowFlags.notTrusted.rawValue), Given(seq: 3),
        ])
        #expect(bench.refusals() == [.noConsent: 1, .untrusted: 1, .noCampaign: 1])
    }

    @Test func `the setting takes three words, and every device unless it says otherwise`() throws {
        func trust(_ text: String?) throws -> TrustPolicy {
            let environment = text.map { ["NKUL_REWARD_DISPATCHER_TRUST": $0] } ?? [:]
            return try RewardDispatcherConfiguration(Settings(environment: environment)).rewards.trust
        }
        #expect(try [nil, "any", "aged", "trusted"].map(trust) == [.any, .any, .aged, .trusted])
        #expect(throws: ServiceError.self) { try trust("all") }
    }

    @Test func `the identifier of a grant follows from device, campaign and record`() throws {
        let record = RecordIdentifier(device: 1, seq: 1)
        let id = GrantID(device: 1, campaign: "a", record: record)
        #expect(id.text.count == 32)
        #expect(id == GrantID(device: 1, campaign: "a", record: record))
        let others = [
            GrantID(device: 2, campaign: "a", record: record), GrantID(device: 1, campaign: "b", record: record),
            GrantID(device: 1, campaign: "a", record: RecordIdentifier(device: 1, seq: 2)),
        ]
        #expect(Set(others + [id]).count == 4)
    }

    @Test func `a provider is called only after the commit that says so`() throws {
        let bench = try RewardBench()
        try bench.give([Given()])
        try bench.tick(start)
        let calls = bench.takeCalls()
        #expect(calls.map(\.purpose) == [.pay])
        #expect(try bench.states() == [.sent])
        bench.effects.answers.add(.confirmed("x"), to: calls[0])
        #expect(bench.effects.nextTick == 0)
        try bench.tick(start + 10)
        #expect(try bench.states() == [.confirmed])
        #expect(try bench.total(.paid) == 50 && bench.total(.float) == 0 && bench.total(.owed) == 0)
    }

    @Test func `after a restart what was sent is asked about`() throws {
        let bench = try RewardBench()
        try bench.give([Given()])
        try bench.tick(start)
        try bench.restart()
        try bench.tick(start + 1)
        let calls = bench.takeCalls()
        #expect(calls.map(\.purpose) == [.ask])
        #expect(try bench.states() == [.asked])
    }

    @Test func `a clock that is set forward while a payment is under way asks nothing and pays nothing`() throws {
        let bench = try RewardBench()
        try bench.give([Given()])
        try bench.tick(start)
        let pay = try #require(bench.takeCalls().first)
        bench.clockError = 3_600_000
        for second in 1...20 { try bench.tick(start + Int64(second) * 1_000) }
        #expect(bench.takeCalls() == [])
        #expect(try bench.states() == [.sent])
        bench.effects.answers.add(.confirmed("x"), to: pay)
        try bench.tick(start + 21_000)
        #expect(try bench.states() == [.confirmed])
    }

    @Test(arguments: [false, true])
    func `a payment settles from its end, or from the restart, and not from the world's clock`(restarts: Bool) throws {
        let bench = try RewardBench()
        try bench.give([Given()])
        try bench.tick(start)
        // The call lasts longer than it takes to settle.
        let end = start + 2 * RewardBench.schedule.settle
        let pay = try #require(bench.takeCalls().first)
        if restarts {
            try bench.tick(end)
            try bench.restart()
        } else {
            bench.effects.answers.add(.unknown("timeout"), to: pay)
        }
        bench.clockError = 3_600_000
        var payments: [UnixMilliseconds] = []
        for now in stride(from: end, to: end + 20_000, by: 100) {
            try bench.tick(now)
            for call in bench.takeCalls() {
                if call.purpose == .pay { payments.append(now) } else { bench.effects.answers.add(.notFound, to: call) }
            }
        }
        #expect(payments.count == 1 && payments[0] >= end + RewardBench.schedule.settle)
    }

    @Test func `a hint that there is news of a payment makes the dispatcher ask, and nothing else`() throws {
        let bench = try RewardBench()
        try bench.give([Given()])
        try bench.tick(start)
        let pay = try #require(bench.takeCalls().first)
        bench.effects.answers.add(.confirmed("x"), to: pay)
        try bench.tick(start + 10)
        let strange = PaymentReference(pay.grant, attempt: 9)
        try bench.database.write { try bench.effects.hint([pay.reference, strange], now: start + 20, $0) }
        #expect(bench.effects.nextTick == start + 20)
        #expect(try bench.states() == [.confirmed])
        try bench.tick(start + 20)
        let ask = try #require(bench.takeCalls().first)
        #expect(ask.purpose == .ask && ask.reference == pay.reference)
        bench.effects.answers.add(.reversed("taken back"), to: ask)
        try bench.tick(start + 30)
        #expect(try bench.states() == [.reversed])
        #expect(try bench.total(.paid) == 0 && bench.total(.budget) == 0)
    }

    @Test func `no more calls are made at once than the settings say`() throws {
        let bench = try RewardBench(callsAtOnce: 2)
        try bench.give((1...5).map { Given(seq: $0) })
        try bench.tick(start)
        let calls = bench.takeCalls()
        #expect(calls.count == 2 && bench.effects.nextTick == nil)
        bench.effects.answers.add(.confirmed("x"), to: calls[0])
        try bench.tick(start + 1)
        #expect(bench.takeCalls().count == 1)
    }

    @Test func `a day's maximum holds for a device and a local day`() throws {
        let bench = try RewardBench(RewardBench.campaign(dailyMaximum: 2))
        // 22:59:59.999 UTC is the last moment of a day in Douala.
        let midnight: UnixMilliseconds = 1_750_028_400_000
        try bench.give([
            Given(seq: 1, receivedAt: midnight - 3), Given(seq: 2, receivedAt: midnight - 2),
            Given(seq: 3, receivedAt: midnight - 1), Given(seq: 4, receivedAt: midnight),
            Given(device: 2, seq: 1, receivedAt: midnight - 1),
        ])
        #expect(try bench.number("SELECT count(*) FROM grants WHERE device = 1") == 3)
        #expect(try bench.number("SELECT count(*) FROM grants WHERE device = 2") == 1)
        #expect(bench.refusals() == [.dailyMaximum: 1])
    }

    @Test func `the built-in campaign ends when the first one comes, and does not come back`() throws {
        let bench = try RewardBench()
        var campaign = RewardBench.campaign("mtn", amount: 75)
        campaign.operators = ["62401"]
        try bench.publish("mtn", campaign)
        try bench.give([Given(seq: 1, mnc: 1), Given(seq: 2, mnc: 2), Given(seq: 3, mnc: nil)])
        #expect(try bench.number("SELECT sum(amount) FROM grants") == 75)
        try bench.publish("mtn", nil)
        try bench.restart()
        try bench.give([Given(seq: 4)])
        #expect(try bench.number("SELECT count(*) FROM grants") == 1)
        #expect(bench.refusals() == [.noCampaign: 3])
    }

    @Test func `a campaign holds for its time and while it is active, and a change of campaigns grants nothing again`()
        throws
    {
        let bench = try RewardBench()
        var campaign = RewardBench.campaign("b")
        campaign.from = start
        campaign.to = start + 10
        try bench.publish("b", campaign)
        try bench.give([
            Given(seq: 1, receivedAt: start - 1), Given(seq: 2, receivedAt: start),
            Given(seq: 3, receivedAt: start + 10),
        ])
        #expect(try bench.number("SELECT count(*) FROM grants") == 1)
        try bench.publish("a", RewardBench.campaign("a"))
        try bench.give([Given(seq: 2, receivedAt: start)])
        #expect(try bench.number("SELECT count(*) FROM grants") == 1)
        campaign.isActive = false
        try bench.publish("b", campaign)
        try bench.publish("a", nil)
        try bench.give([Given(seq: 5, receivedAt: start + 1)])
        #expect(try bench.number("SELECT count(*) FROM grants") == 1)
    }

    @Test func `each amount that a campaign may have is paid, and no other`() throws {
        for (amount, grants) in [(0, 0), (1, 1), (10_000, 1), (10_001, 0)] as [(Int64, Int64)] {
            #expect(CampaignDocument.amounts.contains(amount) == (grants == 1))
            let bench = try RewardBench()
            try bench.publish("x", RewardBench.campaign("x", amount: amount))
            try bench.give([Given()])
            #expect(try bench.number("SELECT count(*) FROM grants") == grants)
        }
    }

    @Test(arguments: [
        "{", #"{"id":"x"}"#,
        #"{"id":"x","amount_xaf":50000,"daily_maximum":0,"operators":[],"from_ms":0,"to_ms":9e15,"active":true}"#,
        #"{"id":"y","amount_xaf":50,"daily_maximum":0,"operators":[],"from_ms":0,"to_ms":9,"active":true}"#,
        #"{"id":"x","amount_xaf":-50,"daily_maximum":0,"operators":[],"from_ms":0,"to_ms":9,"active":true}"#,
    ])
    func `a campaign that cannot be read or paid pays nothing`(text: String) throws {
        let bench = try RewardBench()
        try bench.publish("x", nil, text: text)
        try bench.give([Given()])
        #expect(try bench.number("SELECT count(*) FROM grants") == 0)
    }

    @Test func `the lane has every change of a grant and the balance of its device`() throws {
        let bench = try RewardBench()
        let made = try bench.give([Given(device: 9, receivedAt: start - 5_000)])
        let sent = try bench.tick(start)
        bench.effects.answers.add(.confirmed("x"), to: bench.takeCalls()[0])
        let confirmed = try bench.tick(start + 10)
        var decoder = ColumnDecoder()
        var states: [GrantState] = []
        var balances: [BalanceDocument] = []
        let blocks = [made, sent, confirmed].flatMap(\.appended).flatMap(\.blocks)
        // Some kinds are of nobody.
        let ofNobody = [RecordKind.verificationKey.id, RecordKind.campaignDay.id]
        for block in blocks where !ofNobody.contains(block.header.kind) {
            let columns = try block.columns(with: &decoder)
            #expect(columns[ColumnID.device]?.integer(0) == 9)
            #expect(block.header.subjects == [9])
            let document = Data(try #require(columns[ColumnID.document]?.value(0)))
            if block.header.kind == RecordKind.grant.id {
                let grant = try JSONDecoder().decode(GrantDocument.self, from: document)
                #expect(grant.receivedAt == start - 5_000)
                states.append(grant.state)
            } else if block.header.kind == RecordKind.balance.id {
                balances.append(try JSONDecoder().decode(BalanceDocument.self, from: document))
            }
        }
        #expect(states.last == .confirmed && states.first == .pending)
        #expect(balances.first == BalanceDocument(device: 9, paidXAF: 0, pendingXAF: 50))
        #expect(balances.last == BalanceDocument(device: 9, paidXAF: 50, pendingXAF: 0))
    }

    @Test func `a home of the first version keeps its grants, received at noon of their day`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/state.sqlite"
        let old = try ServiceDatabase(path: path, migrations: Array(RewardDispatcherEffects.migrations.prefix(2)))
        try old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO grants (id, device, campaign, record, day, amount, state, attempts, asks, moves, sent_at,
                        changed_at, due_at, reason)
                    VALUES ('0a', 1, 'c', zeroblob(16), 20370, 50, 'confirmed', 1, 0, 3, 5, 6, NULL, '')
                    """)
        }
        try old.close()
        let new = try ServiceDatabase(path: path, migrations: RewardDispatcherEffects.migrations)
        let grant = try new.read { try RewardDispatcherStore().grant(GrantID(stored: "0a"), $0) }
        #expect(grant?.receivedAt == 1_760_011_200_000 && grant?.day == 20_370 && grant?.state == .confirmed)
        let zone = try #require(TimeZone(identifier: "Africa/Douala"))
        #expect(CivilDay.number(of: 1_760_011_200_000, in: zone) == 20_370)
    }
}
