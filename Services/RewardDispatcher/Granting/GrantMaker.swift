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
    private let store = RewardDispatcherStore()
    private var limits = CampaignLimits()
    private var suspicions = SuspicionBook()
    private var cells = CellDays()

    /// - Parameter holdsSuspected: whether grants wait for a person when something is odd about their records.
    init(_ rules: GrantRules, holdsSuspected: Bool) {
        self.rules = rules
        self.holdsSuspected = holdsSuspected
    }

    /// One grant for one record, if the rules and the campaign's limits allow it.
    mutating func take(_ record: RewardedRecord, _ changes: inout GrantChanges) throws -> Outcome {
        guard try !store.isGranted(record, changes.db) else { return .refused(.repeated) }
        var refusal = rules.refusal(of: record)
        guard let campaign = rules.covering(record) else { return .refused(refusal ?? .noCampaign) }
        let day = rules.day(of: record.receivedAt)
        if refusal == nil { refusal = try limits.refusal(campaign, record, day: day, changes.db) }
        if let refusal {
            try changes.days.refuse(refusal, by: campaign, day: day)
            return .refused(refusal)
        }
        try limits.note(campaign, record, day: day, changes.db)
        let grant = try add(record, campaign, day: day, &changes)
        guard holdsSuspected, let odd = try suspicions.check(record, day: day, changes.db) else {
            return .granted(grant, suspected: nil)
        }
        return .granted(try changes.decide(.suspected(odd), grant), suspected: odd)
    }

    /// A record counts that did not before, whether there is a grant for it or not; after ``take(_:_:)``.
    mutating func note(_ record: RewardedRecord, _ db: Database) throws {
        try cells.note(record, day: rules.day(of: record.receivedAt), db)
    }

    /// Money has left budgets of campaigns, or has come back, by decisions about grants that there were.
    mutating func move(_ spent: [String: Int64]) { for (campaign, amount) in spent { limits.move(campaign, amount) } }

    /// A grant for a device that has won a campaign's competition, as far as the budget goes; a second call for it is refused.
    mutating func award(
        _ campaign: CampaignDocument, to device: UInt64, _ changes: inout GrantChanges
    ) throws -> Outcome {
        let day = rules.day(of: changes.now)
        let grant = Grant(
            campaign, device: device, record: RecordIdentifier(winOf: campaign.id), day: day, now: changes.now)
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

extension RecordIdentifier {
    /// What stands in the place of a record where a grant is for a competition that was won.
    fileprivate init(winOf campaign: String) {
        func word(_ number: UInt64) -> UInt64 {
            UInt64(bitPattern: ShortHash.number("nkul-competition-1 \(campaign)", number))
        }
        self.init(high: word(1), low: word(2))
    }
}
