internal import GRDB
internal import Models

/// What is paid beside a record: for what its device has contributed with it, and for emergencies that it confirms.
extension GrantMaker {
    /// To be asked after ``take(_:_:)``, and once the record counts as a contribution.
    ///
    /// - Parameter isNew: it counts, and did not before.
    mutating func bonuses(
        of record: RewardedRecord, isNew: Bool, _ changes: inout GrantChanges
    ) throws -> [Outcome] {
        guard !rules.milestones.isEmpty || !rules.emergencies.isEmpty, rules.refusal(of: record) == nil else {
            return []
        }
        return try (isNew ? milestones(record, &changes) : []) + emergencies(record, &changes)
    }

    /// Campaigns have changed: what nobody pays for any more is not kept.
    func forgetUnpaid(_ db: Database) throws {
        if rules.emergencies.isEmpty { try book.forgetAll(db) }
    }

    private mutating func milestones(_ record: RewardedRecord, _ changes: inout GrantChanges) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for campaign in rules.milestones where rules.isFor(campaign, record) && record.receivedAt >= campaign.from {
            guard let milestone = campaign.milestone else { continue }
            // Each is looked at, as the one that reaches it does not tell of a burst alone.
            _ = try oddity(of: record, changes.db)
            let days = rules.days(of: campaign)
            let done = try EngagementStore().amount(of: record.device, campaign.kindName, days, changes.db)
            let reached = milestone.times(reachedBy: done)
            var paid = try limits.count(record.device, campaign.id, changes.db)
            // Several at once where the campaign is newer than the contributions; what its limits refuse comes with a later record.
            while paid < reached {
                paid += 1
                let outcome = try part(paid, of: campaign, record, &changes)
                outcomes.append(try held(outcome, record, &changes))
                guard case .granted = outcome else { break }
            }
        }
        return outcomes
    }

    private mutating func part(
        _ number: Int64, of campaign: CampaignDocument, _ record: RewardedRecord, _ changes: inout GrantChanges
    ) throws -> Outcome {
        let day = rules.day(of: record.receivedAt)
        if let refusal = try limits.refusal(campaign, record, day: day, changes.db) {
            try changes.days.refuse(refusal, by: campaign, day: day)
            return .refused(refusal)
        }
        return try award(
            campaign, to: record.device, as: RecordIdentifier(part: number, of: campaign.id),
            receivedAt: record.receivedAt, &changes)
    }

    private mutating func emergencies(_ record: RewardedRecord, _ changes: inout GrantChanges) throws -> [Outcome] {
        let conditions = rules.emergencies.compactMap(\.confirmedEmergency)
        guard record.isEmergency, let longest = conditions.map(\.minutes).max() else { return [] }
        // What is odd neither confirms nor is confirmed.
        guard try oddity(of: record, changes.db) == nil,
            try book.add(record, within: longest * 60_000, changes.db)
        else { return [] }
        var outcomes: [Outcome] = []
        for entry in try book.open(around: record, within: longest * 60_000, changes.db) {
            var isOpen = false
            for campaign in rules.emergencies where rules.covers(campaign, entry.record) {
                guard let condition = campaign.confirmedEmergency else { continue }
                guard try book.isConfirmed(entry, condition, changes.db) else {
                    isOpen = true
                    continue
                }
                var confirmed = entry.record
                confirmed.record = RecordIdentifier(confirmed: entry.hash, by: campaign.id)
                guard try !store.isGranted(confirmed, changes.db) else { continue }
                outcomes.append(try pay(confirmed, campaign, &changes))
            }
            if !isOpen { try book.close(entry, changes.db) }
        }
        return outcomes
    }
}

/// What stands in the place of a record where a grant is not for one: first 16 bytes of two hashes (``ShortHash``).
extension RecordIdentifier {
    /// For a competition that was won.
    init(winOf campaign: String) { self.init("nkul-competition-1 \(campaign)") }

    /// For what a device has contributed, the first time or a further one.
    init(part number: Int64, of campaign: String) { self.init("nkul-milestone-1 \(campaign)", number) }

    /// For an emergency that others have confirmed.
    init(confirmed hash: Int64, by campaign: String) { self.init("nkul-confirmed-1 \(campaign)", hash) }

    private init(_ label: String, _ number: Int64? = nil) {
        func word(_ place: UInt64) -> UInt64 {
            UInt64(
                bitPattern: number.map { ShortHash.number(label, place, UInt64(bitPattern: $0)) }
                    ?? ShortHash.number(label, place))
        }
        self.init(high: word(1), low: word(2))
    }
}
