import Configuration
import Synchronization
import SystemPackage

/// What a program was told: environment variables over a JSON file over defaults, read once at start.
///
/// The JSON file has the environment's names as keys: `{"NKUL_ALERTS_PORT": 5556}`. An empty value counts as not given.
/// A key that nobody asked for by the time of ``refuseUnknownKeys(of:)`` is an error.
public final class Settings: Sendable {
    private let reader: ConfigReader
    private let environmentKeys: Set<String>
    private let fileKeys: Set<String>
    private let filePath: String?
    private let record = Mutex<[SettingDescription]>([])

    private init(environment: [String: String], file: (path: String, provider: any ConfigProvider, keys: Set<String>)?)
    {
        let own = environment.filter { $0.key.hasPrefix("NKUL_") && !$0.value.isEmpty && !Self.isForTheBuild($0.key) }
        let provider = EnvironmentVariablesProvider(environmentVariables: own)
        reader = ConfigReader(providers: [provider] + (file.map { [$0.provider] } ?? []))
        environmentKeys = Set(own.keys)
        fileKeys = file?.keys ?? []
        filePath = file?.path
    }

    /// From an environment alone; variables that do not begin with `NKUL_` are not looked at.
    public convenience init(environment: [String: String]) {
        self.init(environment: environment, file: nil)
    }

    /// From an environment over a JSON file.
    ///
    /// - Throws: ``ServiceError`` of code `usage` that names the file if it cannot be read or is not a flat JSON object.
    public static func load(environment: [String: String], file: String?) async throws -> Settings {
        guard let file else { return Settings(environment: environment) }
        let keys = try SettingsFile.keys(of: file)
        do {
            let provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(file))
            return Settings(environment: environment, file: (file, provider, keys))
        } catch {
            throw ServiceError(.usage, "--config \(file): \(error)")
        }
    }

    /// The value in force.
    ///
    /// - Throws: ``ServiceError`` of code `usage` that names key, value, where it came from and the range.
    public func value<Value>(_ setting: Setting<Value>) throws -> Value {
        declare(setting)
        let given = try text(of: setting.key)
        let text = given ?? setting.defaultText
        if let value = setting.parse(text) { return value }
        throw ServiceError(
            .usage, "\(setting.key): \"\(text)\" (\(source(of: setting.key))) is not allowed; expected \(setting.range)"
        )
    }

    /// Whether the environment or the file has a value for the key.
    public func isGiven(_ key: String) -> Bool { environmentKeys.contains(key) || fileKeys.contains(key) }

    /// Where the value in force comes from, for people.
    public func source(of key: String) -> String {
        if environmentKeys.contains(key) { return "environment" }
        return fileKeys.contains(key) ? "file \(filePath ?? "")" : "default"
    }

    /// The settings that were asked for so far, in that order.
    public var declared: [SettingDescription] { record.withLock { $0 } }

    /// Settings whose names do not begin as those of any one service do: a service that does not read one does not refuse it.
    private static let common: Set = [
        "NKUL_NOTIFIER", "NKUL_REGIONS", "NKUL_RELEASES_K", "NKUL_RELEASES_LICENCE", "NKUL_RELEASES_TRUST",
    ]

    /// Refuses a key that was not asked for; keys of other services (by their beginning) are theirs to check.
    ///
    /// - Parameter service: whose keys must all be known; nil for the operator's command.
    public func refuseUnknownKeys(of service: ServiceName?) throws {
        let known = Set(declared.map(\.key))
        let others = ServiceName.allCases.filter { $0 != service }.flatMap(\.settingPrefixes) + ["NKUL_SERVICES"]
        for key in environmentKeys.union(fileKeys).sorted() where !known.contains(key) {
            guard !Self.common.contains(key), !others.contains(where: key.hasPrefix) else { continue }
            throw ServiceError(
                .usage, "\(key) (\(source(of: key))): no such setting\(hint(for: key, among: known, others: others))")
        }
    }

    /// What the manifest, the tests and the benchmarks read, which may stand in the same shell.
    private static func isForTheBuild(_ key: String) -> Bool {
        let keys: Set = [
            "NKUL_ONLY", "NKUL_E2E", "NKUL_TRAFFIC", "NKUL_SEED", "NKUL_SEEDS", "NKUL_STOP", "NKUL_ORDERS",
            "NKUL_REWARD_RUNS", "NKUL_CHROMIUM",
        ]
        return keys.contains(key)
            || key.hasPrefix("NKUL_TEST_") || key.hasPrefix("NKUL_BENCH_")
    }

    private func declare<Value>(_ setting: Setting<Value>) {
        let description = SettingDescription(
            key: setting.key, summary: setting.summary, defaultText: setting.defaultText, range: setting.range)
        record.withLock { known in
            if !known.contains(where: { $0.key == description.key }) { known.append(description) }
        }
    }

    /// A JSON file may have numbers and booleans where the environment has only text.
    private func text(of key: String) throws -> String? {
        guard isGiven(key) else { return nil }
        let name = ConfigKey([key])
        if let text = try? reader.requiredString(forKey: name) { return text }
        if let number = try? reader.requiredInt(forKey: name) { return "\(number)" }
        if let number = try? reader.requiredDouble(forKey: name) { return "\(number)" }
        throw ServiceError(.usage, "\(key) (\(source(of: key))): neither text nor a number nor true or false")
    }

    /// The nearest of what is known, and of what the settings of other services begin with; all begin with `NKUL_`.
    private func hint(for key: String, among known: Set<String>, others: [String]) -> String {
        let words = key.split(separator: "_", omittingEmptySubsequences: false)
        let likely = others.filter { $0.hasSuffix("_") }.map { prefix in
            prefix + words.dropFirst(prefix.split(separator: "_").count).joined(separator: "_")
        }
        let own = { (name: String) in String(name.dropFirst("NKUL_".count)) }
        let nearest = EditDistance.nearest(to: own(key), in: (known.sorted() + likely).map(own))
        return nearest.map { "; did you mean NKUL_\($0)?" } ?? ""
    }
}
