public import Models

extension Setting where Value == TrustPolicy {
    /// How far devices must be trusted for something: `any`, `aged` or `trusted`; any unless it is said.
    public static func trust(_ key: String, _ summary: String) -> Setting {
        let words = TrustPolicy.allCases.map(\.rawValue).joined(separator: ", ")
        return Setting(key, default: TrustPolicy.any.rawValue, range: words, summary) { TrustPolicy(rawValue: $0) }
    }
}
