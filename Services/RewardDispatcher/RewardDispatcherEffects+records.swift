internal import Foundation
public import GRDB
public import Lanes
public import Models
internal import Wire

/// What comes by the lanes.
extension RewardDispatcherEffects {
    /// What the dispatcher reads. Optional: the country goes on without rewards.
    public static func subscriptions(_ programmes: Programmes) -> [LaneSubscription] {
        let rewarded = programmes.kinds.filter(\.isRewarded).map(\.kind)
        return [
            LaneSubscription(lane: .requests, kinds: [.payout, .nickname, .providerCallback], isRequired: false),
            LaneSubscription(lane: .realtime, kinds: rewarded.filter { !$0.problems.isEmpty }, isRequired: false),
            LaneSubscription(lane: .batch, kinds: rewarded, isRequired: false),
            LaneSubscription(lane: .operations, kinds: [.campaign], isRequired: false),
            LaneSubscription(
                lane: .privacy, kinds: [.erasureSubject, .retentionOrder, .accessOrder], isRequired: false),
        ]
    }

    /// The lanes by which rewarded records come.
    static func rewardedLanes(_ programmes: Programmes) -> [LaneName] {
        subscriptions(programmes).filter { [.realtime, .batch].contains($0.lane) && !$0.kinds.isEmpty }.map(\.lane)
    }

    /// What is done with each kind that the dispatcher reads itself.
    static func handlers(_ programmes: Programmes) -> EffectHandlers<Reading> {
        var handlers: [RecordKind: EffectHandlers<Reading>.Handler] = [
            .campaign: { reading, block, transaction in
                try reading.effects.take(campaigns: block.columns, transaction.db)
            },
            .payout: { reading, block, transaction in
                try reading.effects.take(
                    payouts: block.columns, block.header.committedAt, transaction.now, transaction.db)
            },
            .providerCallback: { reading, block, transaction in
                let effects = reading.effects
                let counts = try effects.callbacks.take(
                    block.columns, now: transaction.now, effects.store, transaction.db)
                effects.done.callbacks.merge(counts, uniquingKeysWith: +)
            },
            .nickname: { reading, block, transaction in
                let effects = reading.effects
                effects.done.unreadableNicknames += try effects.standings.take(
                    block.columns, now: transaction.now, transaction.db)
            },
        ]
        for kind in programmes.kinds where kind.isRewarded {
            handlers[kind.kind] = { reading, block, _ in
                let rows = RewardedRows(kind, block.columns, committedAt: block.header.committedAt)
                for record in rows.all() {
                    try reading.effects.grant(record, &reading.changes)
                    let isNew = try reading.engagement.take(record)
                    if isNew { try reading.effects.maker.note(record, reading.changes.db) }
                    try reading.effects.grantBonuses(of: record, isNew: isNew, &reading.changes)
                }
            }
        }
        return EffectHandlers("reward-dispatcher", handlers)
    }

    /// One grant for one record, if the rules and the campaign's limits allow it.
    func grant(_ record: RewardedRecord, _ changes: inout GrantChanges) throws {
        try book(maker.take(record, &changes), receivedAt: record.receivedAt, &changes)
    }

    /// Grants for what a record has brought about.
    func grantBonuses(of record: RewardedRecord, isNew: Bool, _ changes: inout GrantChanges) throws {
        for outcome in try maker.bonuses(of: record, isNew: isNew, &changes) {
            try book(outcome, receivedAt: record.receivedAt, &changes)
        }
    }

    /// Grants for those who have won competitions that are over.
    func awardWinners(_ changes: inout GrantChanges) throws {
        let ended = try competitions.winners(maker.rules.campaigns, now: changes.now, changes.db)
        for (campaign, devices) in ended {
            for device in devices {
                let outcome = try maker.award(
                    campaign, to: device, as: RecordIdentifier(winOf: campaign.id), &changes)
                try book(outcome, receivedAt: campaign.to, &changes)
            }
        }
    }

    /// - Parameter time: when what is paid for was received. In a restored home a life that was lost may have paid for it.
    private func book(
        _ outcome: GrantMaker.Outcome, receivedAt time: UnixMilliseconds, _ changes: inout GrantChanges
    ) throws {
        switch outcome {
        case .refused(let reason): done.refused(reason)
        case .granted(let grant, let odd):
            if let odd { done.suspected[odd, default: 0] += 1 }
            if restored.mayBePaid(receivedAt: time) { try changes.decide(.restored(now: changes.now), grant) }
            done.granted += 1
        }
    }

    /// Numbers that subscribers gave or withdrew; what waited for one is looked at again.
    func take(
        payouts columns: Columns, _ committedAt: UnixMilliseconds, _ now: UnixMilliseconds, _ db: Database
    ) throws {
        guard let payouts else { return done.unreadablePayouts += columns.rowCount }
        let taken = try payouts.take(columns, committedAt: committedAt, db)
        for device in taken.devices { try store.wake(device, now, db) }
        done.payoutsKept += taken.kept
        done.payoutsRemoved += taken.removed
        done.unreadablePayouts += taken.unreadable
    }

    func take(campaigns columns: Columns, _ db: Database) throws {
        guard let keys = columns[ColumnID.key] else { return }
        let documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row).map({ String(decoding: $0, as: UTF8.self) }) else { continue }
            let campaign = documents?.value(row).map {
                try? JSONDecoder().decode(CampaignDocument.self, from: Data($0))
            }
            // One that cannot be read or paid is as good as removed, and counted.
            let sound = campaign.flatMap { $0 }.flatMap { GrantRules.isSound($0) && $0.id == key ? $0 : nil }
            if campaign != nil && sound == nil { done.unusableCampaigns += 1 }
            try store.put(sound, id: key, db)
        }
        maker.rules = settings.rules(try store.campaigns(db))
        try maker.forgetUnpaid(db)
        competitions.noteCampaigns()
    }
}

extension RewardDispatcherEffects {
    /// What the dispatcher does with its database when its home was restored, in the transaction that brings it over.
    public static func takeIn(_ restoration: Restoration, _ db: Database) throws {
        try RestoredGrants.note(restoration, db)
    }
}
