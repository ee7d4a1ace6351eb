/// Why a feedback got no grant; the words of the metric.
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

    init(_ refusal: GrantRules.Refusal) {
        switch refusal {
        case .mocked: self = .mocked
        case .noConsent: self = .noConsent
        case .untrusted: self = .untrusted
        case .noCampaign: self = .noCampaign
        }
    }
}
