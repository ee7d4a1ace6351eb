internal import ServiceKit

/// Who pays rewards out, and how it is treated; from the settings `NKUL_REWARD_DISPATCHER_…` below.
struct ProviderSettings {
    enum Kind: String, CaseIterable {
        case sandbox, reloadly, dtone, africastalking, momo, csv
    }

    let kind: Kind
    /// `…_PROVIDER_FILE`: where it is and what it calls operators.
    let file: String?
    /// `…_PROVIDER_SECRETS`: who we are there; nil for the file in `keys/`.
    let secrets: String?
    /// `…_PROVIDER_CA`: certificates instead of the system's.
    let authorities: String?
    /// `…_CSV_DIRECTORY`: where files of orders are written; nil for one in the home.
    let directory: String?
    /// `…_CALLS_PER_SECOND`, 0 for what is in this home.
    let callsPerSecond: Int
    /// `…_BREAKER`, 0 for what is in this home.
    let breaker: Int
    /// `…_FLOAT_SECONDS`.
    let floatPause: Duration
    /// `…_LOW_FLOAT_XAF`.
    let lowFloat: Int64

    init(_ settings: Settings) throws {
        let words = Kind.allCases.map(\.rawValue)
        let word = try settings.value(
            .choice("NKUL_REWARD_DISPATCHER_PROVIDER", default: "sandbox", of: words, "who pays rewards out"))
        kind = Kind(rawValue: word) ?? .sandbox
        file = try settings.value(
            .optionalText(
                "NKUL_REWARD_DISPATCHER_PROVIDER_FILE", "JSON file: where the provider is (see the service's README)"))
        secrets = try settings.value(
            .optionalText(
                "NKUL_REWARD_DISPATCHER_PROVIDER_SECRETS",
                "JSON file (0600) of who we are at the provider; default: keys/reward-provider.json in the home"))
        authorities = try settings.value(
            .optionalText("NKUL_REWARD_DISPATCHER_PROVIDER_CA", "file of certificates (PEM) instead of the system's"))
        directory = try settings.value(
            .optionalText(
                "NKUL_REWARD_DISPATCHER_CSV_DIRECTORY",
                "where files of orders are written; default: payouts beside the dispatcher's database"))
        let callsPerSecond = try settings.value(
            .integer(
                "NKUL_REWARD_DISPATCHER_CALLS_PER_SECOND", default: 10, in: 0...10_000,
                unit: "calls (0: without limit)",
                "calls to a provider in a second; sandbox and csv have no limit"))
        let breaker = try settings.value(
            .integer(
                "NKUL_REWARD_DISPATCHER_BREAKER", default: 10, in: 0...1_000, unit: "calls (0: never)",
                "calls in a row without a useful answer, after which a provider is left alone for 1 to 60 s; never sandbox and csv"
            ))
        floatPause = try settings.value(
            .seconds(
                "NKUL_REWARD_DISPATCHER_FLOAT_SECONDS", default: 300, in: 1...86_400,
                "between two looks at what is left with the provider"))
        lowFloat = Int64(
            try settings.value(
                .integer(
                    "NKUL_REWARD_DISPATCHER_LOW_FLOAT_XAF", default: 50_000, in: 0...1_000_000_000, unit: "XAF",
                    "with less left with the provider there is an alarm")))
        let isHere = kind == .sandbox || kind == .csv
        self.callsPerSecond = isHere ? 0 : callsPerSecond
        self.breaker = isHere ? 0 : breaker
    }

    /// How the provider is spoken to; nil for one that is in this home.
    ///
    /// - Parameter callbackSecrets: for the path that it is told to call back.
    /// - Throws: `ServiceError` of code `usage` naming what is wrong with the provider's files.
    func dialect(_ home: Home, _ callbackSecrets: CallbackSecrets) throws -> (any ProviderDialect)? {
        let secrets = secrets ?? home.keys + "/reward-provider.json"
        func account(_ url: String?, needs: [String] = [], _ names: String...) throws -> ProviderAccount {
            var account = try ProviderAccount(
                file: file, secretsFile: secrets, standard: url, needs: needs, secrets: names)
            account.callbackURL = account.callbackURL.map { $0 + callbackSecrets.path(of: kind.rawValue) }
            return account
        }
        switch kind {
        case .sandbox, .csv: return nil
        case .reloadly:
            return ReloadlyDialect(
                account: try account(
                    "https://topups.reloadly.com", needs: ["operators"], "client_id", "client_secret"))
        case .dtone:
            return DTOneDialect(
                account: try account("https://dvs-api.dtone.com/v1", needs: ["operators"], "key", "secret"))
        case .africastalking:
            return AfricasTalkingDialect(
                account: try account("https://api.africastalking.com", needs: ["username"], "api_key"))
        case .momo:
            return MoMoDialect(
                account: try account(
                    nil, needs: ["operators", "environment"], "user", "key", "subscription_key"))
        }
    }
}
