import AlarmRules
import CommandSupport
import Models
import ServiceKit

/// What rules of shares counted in each minute of a recording, as OpenMetrics text: for programs that judge the same counts.
///
/// A minute of zeros ends the counts of a subject that nobody speaks for any more. Confined to one thread.
final class RuleCountsFile {
    private struct Series: Hashable {
        let rule, owner, subject: String

        var labels: String { "{rule=\"\(rule)\",owner=\"\(owner)\",subject=\"\(subject)\"}" }
    }

    private struct Minute {
        let at: UnixMilliseconds
        let all, bad: Int
    }

    private let draft: DraftFile
    private var series: [Series: [Minute]] = [:]
    private var latest: [String: UnixMilliseconds] = [:]

    /// - Throws: `ServiceError` naming the file.
    init(_ path: String) throws { draft = try DraftFile(path, isReplacing: true) }

    /// Takes in the counts of a minute.
    func append(_ counts: [RuleCount]) {
        for count in counts {
            let name = Series(rule: count.rule, owner: count.owner.text, subject: count.subject.text)
            if let last = series[name]?.last, last.at + 60_000 < count.minute { end(name, after: last) }
            series[name, default: []].append(Minute(at: count.minute, all: count.all, bad: count.bad))
            latest[count.rule] = count.minute
        }
    }

    private func end(_ name: Series, after last: Minute) {
        series[name]!.append(Minute(at: last.at + 60_000, all: 0, bad: 0))
    }

    /// Writes everything and gives the file its name.
    func publish() throws {
        for (name, minutes) in series where minutes.last!.at < latest[name.rule]! { end(name, after: minutes.last!) }
        let sorted = series.sorted { $0.key.labels < $1.key.labels }
        try write("nkul_rule_devices", "devices that said something within the window", sorted, \.all)
        try write("nkul_rule_bad_devices", "of these, those whose latest value is bad", sorted, \.bad)
        try draft.write(Array("# EOF\n".utf8))
        try draft.publish()
    }

    private func write(
        _ name: String, _ help: String, _ sorted: [(key: Series, value: [Minute])], _ figure: KeyPath<Minute, Int>
    ) throws {
        var text = "# TYPE \(name) gauge\n# HELP \(name) \(help)\n"
        for (series, minutes) in sorted {
            for minute in minutes {
                text += "\(name)\(series.labels) \(minute[keyPath: figure]) \(minute.at / 1_000)\n"
            }
        }
        try draft.write(Array(text.utf8))
    }
}
