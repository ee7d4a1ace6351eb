internal import Models
public import ServiceKit

/// Every setting of the reward dispatcher.
public struct RewardDispatcherConfiguration: ServiceConfiguration {
    public let common: CommonConfiguration
    /// What decides about grants and payments; from the settings `NKUL_REWARD_DISPATCHER_…` below.
    public let rewards: RewardSettings
    /// `NKUL_REWARD_DISPATCHER_CALL_TIMEOUT_MS`: longest that a call of the provider may take.
    public let callTimeout: Duration
    /// `NKUL_REWARD_DISPATCHER_GATHER_MS`: least time between two commits of grants, unless no block has come for
    /// 0.1 s.
    public let gather: Duration
    /// `NKUL_REWARD_DISPATCHER_PROVIDER` and what belongs to it: who pays rewards out.
    let provider: ProviderSettings
    /// `NKUL_REWARD_DISPATCHER_SANDBOX`: script of the sandbox provider; nil for one without faults.
    public let sandbox: String?
    /// `NKUL_REWARD_DISPATCHER_SANDBOX_BOOKS`: the sandbox provider's own books; nil for a file in the home.
    public let sandboxBooks: String?

    /// - Throws: `ServiceError` of code `usage`.
    public init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
        let builtIn = try Self.builtInCampaign(settings)
        let schedule = try Self.schedule(settings)
        let callsAtOnce = try settings.value(
            .integer(
                "NKUL_REWARD_DISPATCHER_CALLS", default: 16, in: 1...1_000, unit: "calls",
                "calls to the provider at the same time"))
        let devicesOfANumber = try settings.value(
            .integer(
                "NKUL_REWARD_DISPATCHER_NUMBER_DEVICES", default: 3, in: 1...1_000, unit: "devices",
                "devices to whom one payout number may pay; grants of further ones are held"))
        let numberGap = try settings.value(
            .milliseconds(
                "NKUL_REWARD_DISPATCHER_NUMBER_GAP_MS", default: 120_000, in: 0...86_400_000,
                "least time between two orders to pay to one number"))
        let trust = try settings.value(
            .trust(
                "NKUL_REWARD_DISPATCHER_TRUST",
                "whose feedback is rewarded: any device's, not that of new ones in their first 24 hours, trusted ones'")
        )
        provider = try ProviderSettings(settings)
        let standingsPause = try settings.value(
            .seconds(
                "NKUL_REWARD_DISPATCHER_STANDINGS_SECONDS", default: 60, in: 1...86_400,
                "from a change until standings are told anew"))
        let checks = try settings.value(
            .choice(
                "NKUL_REWARD_DISPATCHER_CHECKS", default: "none", of: ["none", "hold"],
                "whether grants wait for a person when something is odd about their records"))
        var rewards = RewardSettings(
            builtIn: builtIn, schedule: schedule, callsAtOnce: callsAtOnce, timeZone: common.timeZone,
            devicesOfANumber: devicesOfANumber, numberGap: Int64(numberGap / .milliseconds(1)), trust: trust,
            callsPerSecond: provider.callsPerSecond, breaker: provider.breaker, needsNumber: provider.kind != .sandbox)
        rewards.holdsSuspected = checks == "hold"
        rewards.standingsPause = Int64(standingsPause / .milliseconds(1))
        self.rewards = rewards
        callTimeout = .milliseconds(schedule.callTimeout)
        gather = try settings.value(
            .milliseconds(
                "NKUL_REWARD_DISPATCHER_GATHER_MS", default: 200, in: 0...60_000,
                "least time between two commits of grants, unless no block has come for 0.1 s"))
        sandbox = try settings.value(
            .optionalText("NKUL_REWARD_DISPATCHER_SANDBOX", "JSON file: how the sandbox errs (see its README)"))
        sandboxBooks = try settings.value(
            .optionalText(
                "NKUL_REWARD_DISPATCHER_SANDBOX_BOOKS",
                "the sandbox's own books; default: sandbox.sqlite beside the dispatcher's"))
    }

    private static func builtInCampaign(_ settings: Settings) throws -> CampaignDocument? {
        let amount = try settings.value(
            .integer(
                "NKUL_REWARD_DISPATCHER_AMOUNT_XAF", default: 50, in: 0...Int(CampaignDocument.amounts.upperBound),
                unit: "XAF",
                "paid for a feedback until the first campaign comes; 0 pays nothing"))
        let dailyMaximum = try settings.value(
            .integer(
                "NKUL_REWARD_DISPATCHER_DAILY_MAXIMUM", default: 10, in: 0...10_000, unit: "grants (0: without limit)",
                "grants of a device in a day until the first campaign comes"))
        let operators = try settings.value(
            Setting<[String]>(
                "NKUL_REWARD_DISPATCHER_OPERATORS", default: "", range: "PLMNs by comma, as 62401,62402; empty: all",
                "networks whose subscribers are paid until the first campaign comes"
            ) { text in
                let names = text.split(separator: ",").map(String.init)
                return names.allSatisfy { PLMN(text: $0) != nil } ? names : nil
            })
        guard amount > 0 else { return nil }
        return CampaignDocument(
            id: "built-in", amountXAF: Int64(amount), dailyMaximum: Int64(dailyMaximum), operators: operators,
            from: .min, to: .max, isActive: true)
    }

    private static func recheck(_ settings: Settings) throws -> UnixMilliseconds? {
        let hours = try settings.value(
            .integer(
                "NKUL_REWARD_DISPATCHER_RECHECK_HOURS", default: 24, in: 0...720, unit: "h (0: never)",
                "after which the provider is asked whether what is settled still holds"))
        return hours == 0 ? nil : Int64(hours) * 3_600_000
    }

    private static func schedule(_ settings: Settings) throws -> PaymentSchedule {
        func milliseconds(_ name: String, _ value: Int, _ range: ClosedRange<Int>, _ summary: String) throws -> Int64 {
            let key = "NKUL_REWARD_DISPATCHER_\(name)_MS"
            return Int64(try settings.value(.milliseconds(key, default: value, in: range, summary)) / .milliseconds(1))
        }
        let schedule = PaymentSchedule(
            callTimeout: try milliseconds(
                "CALL_TIMEOUT", 10_000, 10...600_000, "longest that a call of the provider may take"),
            settle: try milliseconds(
                "SETTLE", 60_000, 10...86_400_000,
                "how long after the end of a call the provider may still receive it; at least the time of a call"),
            firstPause: try milliseconds(
                "FIRST_PAUSE", 1_000, 10...3_600_000, "until the first repetition; then doubled"),
            longestPause: try milliseconds("LONGEST_PAUSE", 900_000, 10...86_400_000, "between two calls for a grant"),
            mostAttempts: try settings.value(
                .integer(
                    "NKUL_REWARD_DISPATCHER_ATTEMPTS", default: 12, in: 1...1_000, unit: "attempts",
                    "attempts that certainly fail before a grant is rejected")),
            recheck: try recheck(settings))
        guard schedule.settle >= schedule.callTimeout, schedule.longestPause >= schedule.firstPause else {
            throw ServiceError(
                .usage,
                "NKUL_REWARD_DISPATCHER_SETTLE_MS must be at least …_CALL_TIMEOUT_MS, …_LONGEST_PAUSE_MS at least …_FIRST_PAUSE_MS"
            )
        }
        return schedule
    }
}
