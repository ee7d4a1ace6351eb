public import Models

/// Rules that a home has without a word of configuration, by programme. `docs/rules.md` says why each threshold is what it is.
public enum BuiltInRules {
    /// Names of built-in rules begin so; a rule that people set under such a name takes its place.
    public static let prefix = "built-in."

    /// Documents by name, those of programmes that are there, in the order of the names.
    public static func documents(_ programmes: Programmes) -> [(id: String, document: String)] {
        let names = Set(programmes.all.map(\.name))
        return all.filter { names.contains($0.programme) }.flatMap(\.documents)
            .map { (id: prefix + $0.name, document: $0.document) }
            .sorted { $0.id < $1.id }
    }

    /// The compiled rules.
    ///
    /// - Throws: ``DocumentRefusal``; never for the programmes of this build, which a test says.
    public static func rules(_ programmes: Programmes) throws(DocumentRefusal) -> [AlarmRule] {
        var rules: [AlarmRule] = []
        for (id, document) in documents(programmes) {
            rules.append(try AlarmRule(compiling: Array(document.utf8), id: id, programmes: programmes))
        }
        return rules
    }

    private typealias Named = (name: String, document: String)

    private static let all: [(programme: String, documents: [Named])] = [
        (programme: "qoe", documents: events + figures)
    ]

    /// What happens to phones.
    private static let events: [Named] = [
        (
            "emergency",
            """
            {"version": 1, "kind": "urgent", "metric": "event", "bad": ["emergency"], "window_s": 3600, "hold_set_s": 0,
             "hold_clear_s": 3600, "level": 16, "severity": "critical", "type": "communicationsAlarm",
             "cause": "performanceDegraded", "text": "subscribers report an emergency",
             "text_fr": "des abonnés signalent une urgence"}
            """
        ),
        (
            "no_service",
            """
            {"version": 1, "kind": "count", "metric": "event", "bad": ["no_service"], "window_s": 900, "set": 3, "clear": 0,
             "hold_set_s": 0, "hold_clear_s": 2700, "level": 10,
             "severity": [{"devices": 3, "severity": "major"}, {"devices": 10, "severity": "critical"}],
             "type": "communicationsAlarm", "cause": "lossOfSignal", "text": "subscribers have no service",
             "text_fr": "des abonnés sont sans service"}
            """
        ),
        (
            "call_failure",
            """
            {"version": 1, "kind": "count", "metric": "event", "bad": ["call_drop"], "window_s": 1800,
             "set": 3, "clear": 0, "hold_set_s": 0, "hold_clear_s": 900, "level": 12,
             "severity": [{"devices": 3, "severity": "minor"}, {"devices": 10, "severity": "major"}],
             "cause": "degradedSignal", "text": "calls are dropped", "text_fr": "des appels sont coupés"}
            """
        ),
    ]

    /// What phones measure, and how it feels.
    private static let figures: [Named] = [
        (
            "latency",
            share(
                "latency_ms", "{\"above\": 300}", cause: "responseTimeExcessive", "response times are long",
                "les temps de réponse sont longs")
        ),
        (
            "loss",
            share(
                "loss_pct", "{\"above\": 3}", cause: "retransmissionRateExcessive", "packets are lost",
                "des paquets sont perdus")
        ),
        (
            "download",
            share(
                "download_kbps", "{\"below\": 128}", cause: "bandwidthReduced", "downloads are slow",
                "les téléchargements sont lents")
        ),
        (
            "signal",
            share("rsrp_dbm", "{\"below\": -120}", cause: "degradedSignal", "signal is weak", "le signal est faible")
        ),
        (
            "rating",
            """
            {"version": 1, "kind": "collapse", "metric": "rating", "window_s": 3600, "set": 1, "clear": 0.5,
             "min_devices": 8, "baseline_hours": 24, "hold_set_s": 300, "hold_clear_s": 900, "level": 9,
             "severity": [{"devices": 3, "severity": "minor"}, {"devices": 30, "severity": "major"}],
             "cause": "performanceDegraded", "text": "subscribers rate the service worse than usual",
             "text_fr": "des abonnés notent le service moins bien que d'habitude"}
            """
        ),
    ]

    private static func share(
        _ metric: String, _ bad: String, cause: String, _ text: String, _ french: String
    ) -> String {
        """
        {"version": 1, "kind": "ratio", "metric": "\(metric)", "bad": \(bad), "window_s": 1800, "set": 0.7, "clear": 0.35,
         "min_devices": 8, "hold_set_s": 300, "hold_clear_s": 900, "level": 9,
         "severity": [{"devices": 3, "severity": "minor"}, {"devices": 30, "severity": "major"}],
         "cause": "\(cause)", "text": "\(text)", "text_fr": "\(french)"}
        """
    }
}
