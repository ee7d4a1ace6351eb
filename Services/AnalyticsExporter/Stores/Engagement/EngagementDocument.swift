internal import ExporterRows
package import Models
internal import QoE
internal import ServiceKit

/// The answer to `GET /v1/engagement`.
package struct EngagementDocument: Encodable {
    /// All days and networks of one policy version.
    struct Version: Encodable {
        let policy_version: String
        let shown, answered, ignored, dismissed: Int64
    }

    struct Day: Encodable {
        let day: String
        let policy_version: String
        /// `unknown` where the phone named none.
        let plmn: String
        /// Left out where it is not known.
        let rule: String?
        let shown, answered, ignored, dismissed: Int64
    }

    /// First and last local day.
    let from, to: String
    let time_zone: String
    /// Everything acknowledged to phones before this moment counts; left out if that is not known.
    let complete_to: String?
    let complete_to_ms: UnixMilliseconds?
    let versions: [Version]
    let days: [Day]

    package init(
        _ rows: [(key: EngagementKey, counts: EngagementCounts)], of days: ClosedRange<Int64>, timeZone: String,
        completeTo: UnixMilliseconds?
    ) {
        from = ReceivedDay.text(of: days.lowerBound)
        to = ReceivedDay.text(of: days.upperBound)
        time_zone = timeZone
        complete_to = completeTo.map(SystemTime.text)
        complete_to_ms = completeTo
        self.days = rows.map { key, counts in
            Day(
                day: ReceivedDay.text(of: key.day), policy_version: key.policyVersion,
                plmn: key.plmn == .unknown ? "unknown" : key.plmn.text, rule: key.rule?.name, shown: counts.shown,
                answered: counts.answered, ignored: counts.ignored, dismissed: counts.dismissed)
        }
        var totals: [String: EngagementCounts] = [:]
        for (key, counts) in rows { totals[key.policyVersion, default: EngagementCounts()] += counts }
        versions = totals.sorted { $0.key < $1.key }.map { version, counts in
            Version(
                policy_version: version, shown: counts.shown, answered: counts.answered, ignored: counts.ignored,
                dismissed: counts.dismissed)
        }
    }
}
