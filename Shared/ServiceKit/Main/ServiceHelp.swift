/// The text of `--help`: usage and every setting with default and range.
enum ServiceHelp {
    static func text<Configuration: ServiceConfiguration>(
        _ service: ServiceName, _ summary: String, _ actions: [(flag: String, summary: String)],
        _ type: Configuration.Type
    ) throws -> String {
        let settings = Settings(environment: [:])
        _ = try Configuration(settings)
        var lines = [
            wrapped(summary), "",
            wrapped(
                "usage: \(service.executable) [--config FILE]\(actions.map { " [\($0.flag)]" }.joined())", indent: 7),
            "",
        ]
        let options =
            [
                (
                    "--config FILE",
                    "settings as a JSON object with the names below as keys; the environment overrides it"
                ),
                ("--until-stdin-closes", "stop when standard input ends, as nkul up wishes: no service outlives it"),
                ("--help", "this text"), ("--version", "the version"),
            ] + actions.map { ($0.flag, $0.summary) }
        let width = (options.map(\.0.count).max() ?? 0) + 4
        for (flag, meaning) in options {
            let beginning = "  \(flag)" + String(repeating: " ", count: width - flag.count - 2)
            lines.append(wrapped(beginning + meaning, indent: width))
        }
        lines += ["", "settings (environment variables):"]
        for setting in settings.declared {
            let value = setting.defaultText.isEmpty ? "none" : setting.defaultText
            lines.append("  \(setting.key)=\(value)")
            lines.append(wrapped("      \(setting.summary) (\(setting.range))", indent: 6))
        }
        return lines.joined(separator: "\n")
    }

    /// A text in lines of at most 80 characters, the second and later ones indented; blanks at its beginning stay.
    static func wrapped(_ text: String, indent: Int = 0) -> String {
        var lines: [String] = [], line = ""
        for (number, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if line.count + word.count + 1 > 80, line.contains(where: { $0 != " " }) {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
            } else {
                line += (number == 0 ? "" : " ") + word
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
