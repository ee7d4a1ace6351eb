internal import GRDB
public import Lanes
public import Models
internal import ServiceKit
public import SubjectRights

/// What the dispatcher declares of the rights of subjects. A part of a subject's records touches no reward: what was granted was
/// granted.
extension RewardDispatcherEffects: SubjectRecords {
    /// Every table of `reward-dispatcher/state.sqlite`.
    static let tables: [HeldTable] = [
        .personal(
            "payouts",
            PersonalRows(
                of: "device",
                erased: .deleted(
                    PersonalRows.Deletion(
                        overwriting: "sealed = zeroblob(length(sealed)), mark = zeroblob(length(mark))")),
                copied: .lines(["payout_number"]), kept: .asLongAs("consent to rewards, or until another is given"))),
        .personal(
            "carried_balances",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .lines(["carried_balance"]), kept: .asLongAs("the device"))),
        .personal(
            "grants",
            PersonalRows(
                of: "device", erased: .by("RewardErasure: device and record go, amounts stay"),
                copied: .lines(["grant"]), kept: .retained(.rewardLinks))),
        .personal(
            "ledger_entries",
            PersonalRows(
                of: nil, erased: .by("RewardErasure: owners become random names, books balance"),
                copied: .lines(["ledger_entry"]), kept: .retained(.ledger))),
        .personal(
            "erasing_subjects",
            PersonalRows(
                of: "device", erased: .by("RewardErasure: with the last grant"),
                copied: .none("only while an erasure is at work"), kept: .asLongAs("the erasure is at work"))),
        .personal(
            "replaced_references",
            PersonalRows(
                of: nil, erased: .by("RewardErasure: when they stand nowhere else"),
                copied: .none("references of erased payments"), kept: .asLongAs("the provider's books have them"))),
        .personal(
            "restored_grants",
            PersonalRows(
                of: nil, erased: .by("RestoredGrants: turned before anything else"),
                copied: .none("names of grants that are given"), kept: .asLongAs("they are to be asked about"))),
        .personal(
            "engagement_facts",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .none("hashes of records that are given elsewhere"),
                kept: .asLongAs("the device, so that no record counts twice"))),
        .personal(
            "engagement_days",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .lines(["contributions_of_day"]),
                kept: .asLongAs("the device: streaks and badges count from the first day on"))),
        .personal(
            "capture_traces",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .lines(["capture_trace"]), kept: .asLongAs("the device"))),
        .personal(
            "captures",
            PersonalRows(
                of: "device", erased: .deleted(), copied: .none("hashes of records that are given elsewhere"),
                kept: .asLongAs("ten days"))),
        .personal(
            "emergencies",
            PersonalRows(
                of: "device", erased: .deleted(),
                copied: .none("cells and times of records that are given elsewhere"), kept: .asLongAs("ten days"))),
        .personal(
            "nicknames",
            PersonalRows(
                of: "device",
                erased: .deleted(
                    PersonalRows.Deletion(
                        overwriting: "nickname = replace(hex(zeroblob(length(nickname))), '00', '0')")),
                copied: .lines(["nickname"]), kept: .asLongAs("consent to standings, or until another is given"))),
        .personal(
            "standings_told",
            PersonalRows(
                of: "device",
                erased: .deleted(PersonalRows.Deletion(overwriting: "document = zeroblob(length(document))")),
                copied: .none("follows from name and contributions, which are given"),
                kept: .asLongAs("the name"))),
        .personal(
            "grant_decisions",
            PersonalRows(
                of: nil, erased: .by("booked in the next step"), copied: .none("names of grants that are given"),
                kept: .asLongAs("they are not booked"))),
        .free("campaign_cells", "what was granted by cell and day, for ten days"),
        .free("provider_state", "how the provider is"),
        .free("restored_erasures", "requests that a restored home waits for, by random names"),
        .free("campaigns", "what operators pay for"), .free("payout_keys", "the key that was published last"),
        .free("competitions_over", "which campaigns have been decided"),
        .free("campaign_days", "figures of campaigns by day"),
        .free("cell_days", "how many records came from where, by network and day"),
        .free("callback_secrets", "by what callbacks of providers are known"),
        .free("ledger_erasing", "a lock"), .free("ledger_retiring", "a lock"),
    ]

    /// Every table of the sandbox's books, `reward-dispatcher/sandbox.sqlite`.
    static let booksTables: [HeldTable] = [
        .personal(
            "payments",
            PersonalRows(
                of: nil, erased: .by("ProviderBooks: references are replaced by random names"),
                copied: .none("grants have the same"), kept: .asLongAs("the provider's books")))
    ]

    /// Every table of the books of what is paid by file, `reward-dispatcher/payouts.sqlite`.
    static let payoutFileTables: [HeldTable] = [
        .personal(
            "orders",
            PersonalRows(
                of: nil, erased: .by("ProviderBooks: references are replaced; numbers go when their file is written"),
                copied: .none("grants have the same"), kept: .asLongAs("the provider's books")))
    ]

    /// - Parameters:
    ///   - journal: of the `rewards` lane.
    ///   - reads: the lanes of the engine's subscriptions; those of all of them if none are given.
    public func subjects(
        journal: Journal, reads: [LaneName]? = nil
    ) -> SubjectDeclaration {
        let reads = reads ?? Self.subscriptions(programmes).map(\.lane)
        erasure.journal = journal
        let links = RewardLinkRetention(erasure)
        return SubjectDeclaration(
            service: ServiceName.rewardDispatcher.rawValue, on: .rewards, reads: reads, records: self,
            copy: RewardCopy(payouts), retained: [links, LedgerRetention(links)], retiresKeys: true)
    }

    public func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        var changes = changes(transaction.now, transaction.db)
        let slice = try erasure.next(subjects, busy: Set(underWay.calls.map(\.grant)), &changes)
        try finish(&changes, &transaction.emit)
        noteStandings(now: transaction.now)
        return slice
    }

    public func truncateLogs() throws -> Bool { try erasure.cleanAfterPass() }
}

extension EffectEngine {
    /// What the dispatcher's engine works for.
    var rewards: RewardDispatcherEffects {
        guard let effects = (self.effects as? SubjectRightsEffects)?.service as? RewardDispatcherEffects else {
            preconditionFailure("the dispatcher's engine has its effects")
        }
        return effects
    }
}
