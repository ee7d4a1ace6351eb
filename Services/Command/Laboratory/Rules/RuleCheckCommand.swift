import AlarmRules
package import ArgumentParser
import CommandSupport
import Models
import ServiceKit

/// `nkul admin rule check`: what rules would have found in a recording.
package struct RuleCheckCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Says which alarms rules find in a recording; needs no service.",
        discussion: """
            FILE is a rule, or {"rules": {"name": rule, …}}, or the word built-in. The recording is played through the same \
            compiler and engine as run in the router. Where a .truth.json of nkul simulate lies beside it, precision and recall \
            are told: how many alarms are of an outage or a congestion, and how many of these were found. --counts writes what the \
            rules of shares counted, in a form that "promtool tsdb create-blocks-from openmetrics" takes, too.
            """)

    @Argument(help: "A file of rules, - for standard input, or built-in.") var file: String

    @Option(name: .long, help: "The recording (gzip CSV).") var against: String

    @Option(name: .long, help: "Other rules, or built-in: says what differs.") var base: String?

    @Option(
        name: .long,
        help: "Writes, for each minute, of how many devices of each subject the latest value is bad (OpenMetrics).")
    var counts: String?

    @Flag(name: .long, help: "One line of JSON.") var json = false

    package init() {}

    package func run() throws {
        let programmes = Programmes.registered
        let rules = try RuleFile(file, programmes)
        let counts = try counts.map { try RuleCountsFile($0) }
        let replay = try RuleReplay(rules.rules, recording: against, programmes, counts: counts)
        try counts?.publish()
        let before = try base.map {
            try RuleReplay(RuleFile($0, programmes).rules, recording: against, programmes)
        }
        let report = RuleReport(replay, before: before, truth: try RuleTruth(besides: against))
        print(json ? report.json.text : report.text)
    }
}
