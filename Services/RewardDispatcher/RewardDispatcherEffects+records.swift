internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import Wire

/// What comes by the lanes.
extension RewardDispatcherEffects {
    /// One grant for one record, if the rules and the day's maximum allow it.
    func grant(_ feedback: RewardedRecord, _ changes: inout GrantChanges) throws {
        guard try !store.isGranted(feedback, changes.db) else { return done.refused(.repeated) }
        switch rules.decide(feedback) {
        case .failure(let error): done.refused(GrantRefusal(error.refusal))
        case .success(let campaign):
            let day = rules.day(of: feedback.receivedAt)
            if let refusal = try limits.refusal(campaign, feedback, day: day, changes.db) {
                return done.refused(refusal)
            }
            try limits.note(campaign, feedback, day: day, changes.db)
            var grant = try changes.add(
                Grant(
                    campaign, device: feedback.device, record: feedback.record, receivedAt: feedback.receivedAt,
                    day: day, now: changes.now))
            if settings.holdsSuspected, let odd = try suspicions.check(feedback, day: day, changes.db) {
                grant = try changes.decide(.suspected(odd), grant)
                done.suspected[odd, default: 0] += 1
            }
            if restored.mayBePaid(feedback) { try changes.decide(.restored(now: changes.now), grant) }
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
        rules = settings.rules(try store.campaigns(db))
    }
}
