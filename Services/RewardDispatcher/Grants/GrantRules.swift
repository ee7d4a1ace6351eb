internal import Foundation
public import Models

/// Which records are rewarded, and by which campaign. Pure.
///
/// The campaigns in force are those of the `operations` lane; until the first has come, the one of the settings.
public struct GrantRules: Sendable {
    /// In the order of their ids.
    public let campaigns: [CampaignDocument]
    /// Of these, those that pay for what devices contribute, and those that pay for emergencies.
    let milestones, emergencies: [CampaignDocument]
    private let timeZone: TimeZone
    private let trust: TrustPolicy

    /// - Parameters:
    ///   - timeZone: whose local days the daily maximum counts.
    ///   - trust: whose feedback is rewarded.
    public init(_ campaigns: [CampaignDocument], timeZone: String, trust: TrustPolicy = .any) {
        self.trust = trust
        self.campaigns = campaigns.filter(Self.isSound).sorted { $0.id < $1.id }
        milestones = self.campaigns.filter { $0.isActive && $0.milestone != nil }
        emergencies = self.campaigns.filter { $0.isActive && $0.confirmedEmergency != nil }
        self.timeZone = TimeZone(identifier: timeZone) ?? .gmt
    }

    /// True for a campaign that can be paid.
    public static func isSound(_ campaign: CampaignDocument) -> Bool {
        let budgets = [campaign.budgetXAF, campaign.cellDayBudgetXAF].compactMap(\.self)
        let counts = [campaign.deviceMaximum, campaign.numberDailyMaximum].compactMap(\.self)
        let conditions = [
            campaign.undersampledCell.map {
                UndersampledCell.recordCounts.contains($0.records) && UndersampledCell.dayCounts.contains($0.days)
            },
            campaign.competition.map {
                CampaignCompetition.winnerCounts.contains($0.winners)
                    && CampaignCompetition.leastCounts.contains($0.least)
            },
            campaign.milestone.map { CampaignMilestone.recordCounts.contains($0.records) },
            campaign.confirmedEmergency.map {
                ConfirmedEmergency.deviceCounts.contains($0.devices)
                    && ConfirmedEmergency.minuteCounts.contains($0.minutes)
            },
        ]
        return !conditions.contains(false)
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
        campaigns.first { $0.paysForRecords && covers($0, record) }
    }

    /// The local day of a time, days since 1970.
    func day(of time: UnixMilliseconds) -> Int64 { CivilDay.number(of: time, in: timeZone) }

    /// The local days from whose captures a campaign counts what devices contribute.
    func days(of campaign: CampaignDocument) -> Range<Int64> {
        let first = day(of: max(campaign.from, 0)), last = day(of: min(campaign.to - 1, Self.lastTime))
        return first..<max(first, last) + 1
    }

    /// 31 December 9999: later times are no dates of any calendar.
    private static let lastTime: UnixMilliseconds = 253_402_300_799_999

    /// Whether a record is of those that a campaign is for.
    func covers(_ campaign: CampaignDocument, _ record: RewardedRecord) -> Bool {
        isFor(campaign, record) && record.receivedAt >= campaign.from && record.receivedAt < campaign.to
            && (campaign.isPromptedOnly != true || record.isPrompted)
    }

    /// The same whenever the record was received.
    func isFor(_ campaign: CampaignDocument, _ record: RewardedRecord) -> Bool {
        campaign.isActive && campaign.kindName == record.kind
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
