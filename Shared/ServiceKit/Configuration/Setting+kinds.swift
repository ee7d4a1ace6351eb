public import Models

extension Setting where Value == Int {
    /// A whole number of `unit`: `.integer("NKUL_INGEST_QUEUE_ROWS", default: 65_536, in: 1...1_000_000, unit: "rows", "…")`.
    public static func integer(
        _ key: String, default value: Int, in range: ClosedRange<Int>, unit: String, _ summary: String
    ) -> Setting {
        Setting(key, default: "\(value)", range: "\(range.lowerBound)…\(range.upperBound) \(unit)", summary) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A TCP port.
    public static func port(_ key: String, default value: Int, _ summary: String) -> Setting {
        Setting(key, default: "\(value)", range: "a port, 0…65535 (0: any free one)", summary) { text in
            Int(text).flatMap { (0...65535).contains($0) ? $0 : nil }
        }
    }
}

extension Setting where Value == Duration {
    /// A whole number of milliseconds; end the key in `_MS`.
    public static func milliseconds(
        _ key: String, default value: Int, in range: ClosedRange<Int>, _ summary: String
    ) -> Setting {
        Setting(key, default: "\(value)", range: "\(range.lowerBound)…\(range.upperBound) milliseconds", summary) {
            text in
            Int(text).flatMap { range.contains($0) ? .milliseconds($0) : nil }
        }
    }

    /// A whole number of seconds; end the key in `_SECONDS`.
    public static func seconds(
        _ key: String, default value: Int, in range: ClosedRange<Int>, _ summary: String
    ) -> Setting {
        Setting(key, default: "\(value)", range: "\(range.lowerBound)…\(range.upperBound) seconds", summary) { text in
            Int(text).flatMap { range.contains($0) ? .seconds($0) : nil }
        }
    }
}

extension Setting where Value == Bool {
    /// `1` or `0`, also `true` `false` `yes` `no`.
    public static func flag(_ key: String, default value: Bool, _ summary: String) -> Setting {
        Setting(key, default: value ? "1" : "0", range: "0 or 1", summary) { text in
            switch text.lowercased() {
            case "1", "true", "yes": true
            case "0", "false", "no": false
            default: nil
            }
        }
    }
}

extension Setting where Value == HostPort {
    /// `host:port`.
    public static func address(_ key: String, default text: String, _ summary: String) -> Setting {
        Setting(key, default: text, range: "host:port", summary) { HostPort($0) }
    }

    /// `host:port` that only this machine can reach: what is spoken there is neither encrypted nor authenticated.
    package static func loopbackAddress(_ key: String, default text: String, _ summary: String) -> Setting {
        Setting(
            key, default: text, range: "host:port on loopback (127.0.0.1, ::1, localhost), without TLS",
            summary
        ) {
            HostPort($0).flatMap { $0.isLoopback ? $0 : nil }
        }
    }
}

extension Setting where Value == String {
    /// Any text that is not empty.
    public static func text(_ key: String, default text: String, _ summary: String) -> Setting {
        Setting(key, default: text, range: "text", summary) { $0.isEmpty ? nil : $0 }
    }

    /// One of some words.
    public static func choice(_ key: String, default text: String, of words: [String], _ summary: String) -> Setting {
        Setting(key, default: text, range: words.joined(separator: ", "), summary) { words.contains($0) ? $0 : nil }
    }
}

extension Setting where Value == String? {
    /// Any text, or nothing.
    public static func optionalText(_ key: String, _ summary: String) -> Setting {
        Setting(key, default: "", range: "text", summary) { .some($0.isEmpty ? nil : $0) }
    }
}

extension Setting where Value == [(plmn: PLMN, name: String)] {
    /// How the networks of the country are called: on the page, and where commands show them.
    public static var operators: Setting {
        // Camtel's code was only seen second-hand; that is why the table is a setting.
        Setting(
            "NKUL_EXPORTER_OPERATORS", default: "62401=MTN,62402=Orange,62403=Camtel,62404=Nexttel",
            range: "PLMN=name,… (five or six digits each)", "networks that the page offers"
        ) { text in
            let operators = text.split(separator: ",").map { entry -> (plmn: PLMN, name: String)? in
                let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, let plmn = PLMN(text: parts[0]) else { return nil }
                return (plmn, parts[1])
            }
            return operators.contains { $0 == nil } ? nil : operators.compactMap { $0 }
        }
    }
}

extension Setting where Value == TrustPolicy {
    /// How far devices must be trusted for something: `any`, `aged` or `trusted`; any unless it is said.
    public static func trust(_ key: String, default usual: TrustPolicy = .any, _ summary: String) -> Setting {
        let words = TrustPolicy.allCases.map(\.rawValue).joined(separator: ", ")
        return Setting(key, default: usual.rawValue, range: words, summary) { TrustPolicy(rawValue: $0) }
    }
}

extension Setting where Value == Bool {
    /// Whether this home has the optional notifier.
    public static var notifier: Setting {
        .flag(
            "NKUL_NOTIFIER", default: false,
            "1: a notifier runs, which tells channels of alarms: nkul up starts it, its deliveries are shown, erasures wait for it"
        )
    }
}
