internal import ExporterRows
package import Models
internal import QoE
internal import ServiceKit

/// The answer to `GET /v1/engagement`.
package struct EngagementDocument: Encodable {
    /// Everything together of a policy version, a rule or a network, whose name it has.
    struct Total: Encodable {
        var policy_version: String?
        var rule: String?
        var plmn: String?
        let shown, answered, ignored, dismissed: Int64
        /// Of those shown, what share was answered, and so on; null where none was shown.
        let answered_share, ignored_share, dismissed_share: Double?

        init(_ counts: EngagementCounts) {
            (shown, answered) = (counts.shown, counts.answered)
            (ignored, dismissed) = (counts.ignored, counts.dismissed)
            (answered_share, ignored_share) = (counts.share(counts.answered), counts.share(counts.ignored))
            dismissed_share = counts.share(counts.dismissed)
        }

        /// Writes null for a share that is not known, where a synthesized encoding would leave it out; leaves out names that it lacks.
        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encodeIfPresent(policy_version, forKey: .policy_version)
            try members.encodeIfPresent(rule, forKey: .rule)
            try members.encodeIfPresent(plmn, forKey: .plmn)
            for (key, value) in [
                (CodingKeys.shown, shown), (.answered, answered), (.ignored, ignored), (.dismissed, dismissed),
            ] { try members.encode(value, forKey: key) }
            try members.encode(answered_share, forKey: .answered_share)
            try members.encode(ignored_share, forKey: .ignored_share)
            try members.encode(dismissed_share, forKey: .dismissed_share)
        }

        enum CodingKeys: String, CodingKey {
            case policy_version, rule, plmn, shown, answered, ignored, dismissed, answered_share, ignored_share,
                dismissed_share
        }
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
    let versions: [Total]
    /// By rule, `unknown` where the phone named none; and by network.
    let rules, networks: [Total]
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
                plmn: Self.name(of: key.plmn), rule: key.rule?.name, shown: counts.shown,
                answered: counts.answered, ignored: counts.ignored, dismissed: counts.dismissed)
        }
        versions = Self.totals(rows) {
            $0.policyVersion
        } naming: {
            $0.policy_version = $1
        }
        rules = Self.totals(rows) {
            $0.rule?.name ?? "unknown"
        } naming: {
            $0.rule = $1
        }
        networks = Self.totals(rows) {
            Self.name(of: $0.plmn)
        } naming: {
            $0.plmn = $1
        }
    }

    private static func name(of network: PLMN) -> String { network == .unknown ? "unknown" : network.text }

    private static func totals(
        _ rows: [(key: EngagementKey, counts: EngagementCounts)], by name: (EngagementKey) -> String,
        naming: (inout Total, String) -> Void
    ) -> [Total] {
        var totals: [String: EngagementCounts] = [:]
        for (key, counts) in rows { totals[name(key), default: EngagementCounts()] += counts }
        return totals.sorted { $0.key < $1.key }.map { name, counts in
            var total = Total(counts)
            naming(&total, name)
            return total
        }
    }
}
