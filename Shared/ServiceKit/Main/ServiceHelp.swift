/// The text of `--help`: usage and every setting with default and range.
enum ServiceHelp {
    static func text<Configuration: ServiceConfiguration>(
        _ service: ServiceName, _ summary: String, _ actions: [(flag: String, summary: String)],
        _ type: Configuration.Type
    ) throws -> String {
        let settings = Settings(environment: [:])
        _ = try Configuration(settings)
        var lines = [
            summary, "", "usage: \(service.executable) [--config FILE]\(actions.map { " [\($0.flag)]" }.joined())", "",
            "  --config FILE   settings as a JSON object with the names below as keys; the environment overrides it",
            "  --until-stdin-closes   stop when standard input ends, as nkul up wishes: no service outlives it",
            "  --help          this text", "  --version       the version",
        ]
        for action in actions { lines.append("  \(padded(action.flag, 15)) \(action.summary)") }
        lines += ["", "settings (environment variables):"]
        for setting in settings.declared {
            let value = setting.defaultText.isEmpty ? "none" : setting.defaultText
            lines.append("  \(setting.key)=\(value)")
            lines.append("      \(setting.summary) (\(setting.range))")
        }
        return lines.joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
