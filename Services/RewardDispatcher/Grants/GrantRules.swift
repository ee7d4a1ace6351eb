internal import Foundation
public import Models

/// Which records are rewarded, and by which campaign. Pure.
///
/// The campaigns in force are those of the `operations` lane; until the first has come, the one of the settings.
public struct GrantRules: Sendable {
    /// In the order of their ids.
    public let campaigns: [CampaignDocument]
    private let timeZone: TimeZone
    private let trust: TrustPolicy

    /// - Parameters:
    ///   - timeZone: whose local days the daily maximum counts.
    ///   - trust: whose feedback is rewarded.
    public init(_ campaigns: [CampaignDocument], timeZone: String, trust: TrustPolicy = .any) {
        self.trust = trust
        self.campaigns = campaigns.filter(Self.isSound).sorted { $0.id < $1.id }
        self.timeZone = TimeZone(identifier: timeZone) ?? .gmt
    }

    /// True for a campaign that can be paid.
    public static func isSound(_ campaign: CampaignDocument) -> Bool {
        let budgets = [campaign.budgetXAF, campaign.cellDayBudgetXAF].compactMap(\.self)
        let counts = [campaign.deviceMaximum, campaign.numberDailyMaximum].compactMap(\.self)
        let isCellSound =
            campaign.undersampledCell.map {
                UndersampledCell.recordCounts.contains($0.records) && UndersampledCell.dayCounts.contains($0.days)
            } ?? true
        let isCompetitionSound =
            campaign.competition.map {
                CampaignCompetition.winnerCounts.contains($0.winners)
                    && CampaignCompetition.leastCounts.contains($0.least)
            } ?? true
        return isCellSound && isCompetitionSound
            && CampaignDocument.amounts.contains(campaign.amountXAF) && campaign.dailyMaximum >= 0
            && (1...64).contains(campaign.id.utf8.count) && budgets.allSatisfy(CampaignDocument.budgets.contains)
            && counts.allSatisfy(CampaignDocument.counts.contains)
    }

    /// Why a record is not rewarded by any campaign; nil if it could be.
    func refusal(of record: RewardedRecord) -> GrantRefusal? {
        if record.isMocked { return .mocked }
        if record.flags.contains(.notForRewards) { return .noConsent }
        return trust.counts(record.flags) ? nil : .untrusted
    }

    /// The campaign that is for a record, whoever sent it: of several the first.
    func covering(_ record: RewardedRecord) -> CampaignDocument? {
        campaigns.first { Self.covers($0, record) }
    }

    /// The local day of a time, days since 1970.
    func day(of time: UnixMilliseconds) -> Int64 { CivilDay.number(of: time, in: timeZone) }

    private static func covers(_ campaign: CampaignDocument, _ record: RewardedRecord) -> Bool {
        campaign.isActive && campaign.competition == nil && campaign.kindName == record.kind
            && record.receivedAt >= campaign.from && record.receivedAt < campaign.to
            && (campaign.isPromptedOnly != true || record.isPrompted)
            && (campaign.operators.isEmpty || campaign.operators.contains { PLMN(text: $0) == record.plmn })
    }
}

/// Why a record got no grant; the words of the metric.
public enum GrantRefusal: String, Sendable, CaseIterable {
    case repeated
    case dailyMaximum = "daily_maximum"
    case deviceMaximum = "device_maximum"
    case numberDailyMaximum = "number_daily_maximum"
    case budget = "budget_exhausted"
    case cellBudget = "cell_budget_exhausted"
    case wellSampled = "well_sampled"
    case mocked = "mock_location"
    case noConsent = "no_consent"
    case untrusted
    case noCampaign = "no_campaign"
}
