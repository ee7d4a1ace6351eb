package import ExporterSupport
package import Foundation
package import GRDB
package import Models
internal import QoE

/// Which counts of prompts are asked for.
package struct EngagementQuery {
    /// Names of the parameters.
    package static let parameters = ["from", "to", "plmn", "rule", "policy_version"]
    /// Without `from` and `to`: the last 30 days.
    static let usualPeriod: Int64 = 30 * 86_400_000
    /// Rows of one answer at most.
    static let mostRows = 10_000

    /// Local days, since 1970.
    package let days: ClosedRange<Int64>
    let networks: NetworkScope
    /// Nil for all, those where the phone named none among them.
    let rule: PromptRule?
    let policyVersion: String?

    /// - Parameter scope: what the caller may see.
    /// - Throws: ``ParameterFault``; ``ExporterAPIError`` for a network outside the scope.
    package init(_ parameters: QueryParameters, scope: NetworkScope, zone: TimeZone, now: UnixMilliseconds) throws {
        let end = try parameters.instant("to") ?? now
        let period = try parameters.period(from: max(0, end - Self.usualPeriod), to: end)
        let first = CivilDay.number(of: period.lowerBound, in: zone)
        days = first...max(first, CivilDay.number(of: period.upperBound - 1, in: zone))
        networks = try scope.narrowed(to: try parameters.plmn("plmn"))
        let name = try parameters.choice("rule", of: PromptRule.allCases.map(\.name))
        rule = PromptRule.allCases.first { $0.name == name }
        policyVersion = parameters.text("policy_version")
        guard policyVersion.map({ $0.utf8.count <= PromptRows.longestVersion }) ?? true else {
            throw ParameterFault("policy_version", "has more than \(PromptRows.longestVersion) bytes")
        }
    }

    /// The counts, by day.
    ///
    /// - Throws: ``ParameterFault`` `too_many_rows`.
    package func rows(_ db: Database) throws -> [(key: EngagementKey, counts: EngagementCounts)] {
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT day, policy_version, rule, plmn, shown, answered, ignored, dismissed FROM engagement
                WHERE day BETWEEN ?1 AND ?2 AND \(networks.condition(on: "plmn"))
                    AND (?3 IS NULL OR rule = ?3) AND (?4 IS NULL OR policy_version = ?4)
                ORDER BY day, policy_version, rule, plmn LIMIT ?5
                """,
            arguments: [days.lowerBound, days.upperBound, rule?.rawValue, policyVersion, Self.mostRows + 1])
        guard found.count <= Self.mostRows else {
            throw ParameterFault(
                "from", "more than \(Self.mostRows) rows; ask for a shorter period or one network",
                code: "too_many_rows")
        }
        return found.map { row in
            (
                EngagementKey(
                    day: row[0], policyVersion: row[1], rule: PromptRule(rawValue: row[2]),
                    plmn: PLMN(rawValue: row[3])),
                EngagementCounts(shown: row[4], answered: row[5], ignored: row[6], dismissed: row[7])
            )
        }
    }
}
