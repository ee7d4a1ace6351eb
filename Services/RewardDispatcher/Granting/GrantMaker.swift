internal import GRDB
internal import Models

/// Makes grants for records: what campaigns want, what they still have, what is odd. Decides the same for the dispatcher and for a trial.
///
/// In the caller's transaction; keeps in memory only what a restart finds again.
struct GrantMaker {
    /// What became of a record.
    enum Outcome {
        case granted(Grant, suspected: Suspicion?)
        case refused(GrantRefusal)
    }

    var rules: GrantRules
    private let holdsSuspected: Bool
    let store = RewardDispatcherStore()
    var limits = CampaignLimits()
    private var suspicions = SuspicionBook()
    /// The record that was looked at last, and what is odd about it.
    private var looked: (record: RewardedRecord, odd: Suspicion?)?
    private var cells = CellDays()
    var book = EmergencyBook()

    /// - Parameter holdsSuspected: whether grants wait for a person when something is odd about their records.
    init(_ rules: GrantRules, holdsSuspected: Bool) {
        self.rules = rules
        self.holdsSuspected = holdsSuspected
    }

    /// One grant for one record, if the rules and the campaign's limits allow it.
    mutating func take(_ record: RewardedRecord, _ changes: inout GrantChanges) throws -> Outcome {
        guard try !store.isGranted(record, changes.db) else { return .refused(.repeated) }
        let refusal = rules.refusal(of: record)
        guard let campaign = rules.covering(record) else { return .refused(refusal ?? .noCampaign) }
        if let refusal {
            try changes.days.refuse(refusal, by: campaign, day: rules.day(of: record.receivedAt))
            return .refused(refusal)
        }
        return try held(pay(record, campaign, &changes), record, &changes)
    }

    /// A grant for a record that a campaign is for, if its limits allow it.
    mutating func pay(
        _ record: RewardedRecord, _ campaign: CampaignDocument, _ changes: inout GrantChanges
    ) throws -> Outcome {
        let day = rules.day(of: record.receivedAt)
        if let refusal = try limits.refusal(campaign, record, day: day, changes.db) {
            try changes.days.refuse(refusal, by: campaign, day: day)
            return .refused(refusal)
        }
        try limits.note(campaign, record, day: day, changes.db)
        return .granted(try add(record, campaign, day: day, &changes), suspected: nil)
    }

    /// A grant waits for a person if something is odd about the record that earned it.
    mutating func held(
        _ outcome: Outcome, _ record: RewardedRecord, _ changes: inout GrantChanges
    ) throws -> Outcome {
        guard case .granted(let grant, _) = outcome, let odd = try oddity(of: record, changes.db) else {
            return outcome
        }
        return .granted(try changes.decide(.suspected(odd), grant), suspected: odd)
    }

    /// What is odd about a record that somebody may pay for; the first time it is looked at it counts among those of its device.
    mutating func oddity(of record: RewardedRecord, _ db: Database) throws -> Suspicion? {
        guard holdsSuspected else { return nil }
        if let looked, looked.record == record { return looked.odd }
        let odd = try suspicions.check(record, day: rules.day(of: record.receivedAt), db)
        looked = (record, odd)
        return odd
    }

    /// A record counts that did not before, whether there is a grant for it or not; after ``take(_:_:)``.
    mutating func note(_ record: RewardedRecord, _ db: Database) throws {
        let day = rules.day(of: record.receivedAt)
        try cells.note(record, day: day, db)
        if !rules.emergencies.isEmpty { try book.forgetOld(day: day, now: record.receivedAt, db) }
    }

    /// Money has left budgets of campaigns, or has come back, by decisions about grants that there were.
    mutating func move(_ spent: [String: Int64]) { for (campaign, amount) in spent { limits.move(campaign, amount) } }

    /// A grant for what a device has done for a campaign, as far as the budget goes; a second call for it is refused.
    ///
    /// - Parameters:
    ///   - record: what stands in the place of a record.
    ///   - receivedAt: when it had done so; nil is now.
    mutating func award(
        _ campaign: CampaignDocument, to device: UInt64, as record: RecordIdentifier,
        receivedAt: UnixMilliseconds? = nil, _ changes: inout GrantChanges
    ) throws -> Outcome {
        let day = rules.day(of: receivedAt ?? changes.now)
        let grant = Grant(
            campaign, device: device, record: record, receivedAt: receivedAt, day: day, now: changes.now)
        guard try store.grant(grant.id, changes.db) == nil else { return .refused(.repeated) }
        guard try limits.hasBudget(campaign, changes.db) else {
            try changes.days.refuse(.budget, by: campaign, day: day)
            return .refused(.budget)
        }
        limits.move(campaign.id, campaign.amountXAF)
        let reach = try store.reach(device, campaign.id, day: day, changes.db)
        try changes.days.note(
            grant, by: campaign, CampaignDayBook.News(isOfDay: !reach.isOfDay, isFirst: !reach.isAny))
        return .granted(try changes.add(grant), suspected: nil)
    }

    private func add(
        _ record: RewardedRecord, _ campaign: CampaignDocument, day: Int64, _ changes: inout GrantChanges
    ) throws -> Grant {
        let reach = try store.reach(record.device, campaign.id, day: day, changes.db)
        let records = try cells.records(around: record, day: day, days: CampaignDayDocument.cellDays, changes.db)
        var grant = Grant(
            campaign, device: record.device, record: record.record, receivedAt: record.receivedAt, day: day,
            now: changes.now)
        grant.isPlaced = records != nil
        try changes.days.note(
            grant, by: campaign,
            CampaignDayBook.News(isOfDay: !reach.isOfDay, isFirst: !reach.isAny, isNewCell: records == 0))
        return try changes.add(grant)
    }
}
