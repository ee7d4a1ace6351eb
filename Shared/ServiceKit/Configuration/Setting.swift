/// One setting: its key, what it means, its default and what it may be.
///
/// It is declared in the `init` of a `<Name>Configuration`, which is at once its documentation (`--help`), its check and
/// its reading. Kinds of settings: `Setting+kinds.swift`.
public struct Setting<Value: Sendable>: Sendable {
    /// The name in the environment and in the JSON file: `NKUL_INGEST_HTTP`.
    public let key: String
    /// What it is for, in a few words.
    public let summary: String
    /// The value in force when neither environment nor file has one; empty: none.
    package let defaultText: String
    /// The values that are allowed, with their unit, for people: `1…600 seconds`.
    public let range: String

    let parse: @Sendable (String) -> Value?

    /// - Parameter parse: nil for text that is not a value within the range; it is also given the default.
    public init(
        _ key: String, default defaultText: String, range: String, _ summary: String,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.key = key
        self.summary = summary
        self.defaultText = defaultText
        self.range = range
        self.parse = parse
    }
}

/// A setting as `--help` shows it.
public struct SettingDescription: Sendable, Equatable {
    public let key: String
    public let summary: String
    package let defaultText: String
    public let range: String
}
