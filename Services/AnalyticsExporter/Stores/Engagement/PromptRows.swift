internal import ExporterRows
package import Foundation
internal import Models
internal import QoE
package import Wire

/// The columns of a block of kind prompt, looked up once.
package struct PromptRows {
    /// A policy's name of more bytes is none that was ever published.
    static let longestVersion = 64

    private let captured: Column?
    private let outcomes: Column?
    private let versions: Column?
    private let rules: Column?
    private let networks: RowOwners
    private let count: Int

    package init(_ columns: Columns) {
        captured = columns[ColumnID.capturedAt]
        outcomes = columns[ColumnID.outcome]
        versions = columns[ColumnID.policyVersion]
        rules = columns[ColumnID.promptRule]
        networks = RowOwners(columns, .networks)
        count = columns.rowCount
    }

    /// Adds up the rows by what they are counted by; a row without time or outcome is none.
    package func add(to counts: inout [EngagementKey: EngagementCounts], in zone: TimeZone) {
        for row in 0..<count {
            guard let time = captured?.integer(row),
                let outcome = outcomes?.integer(row).flatMap(PromptOutcome.init(rawValue:))
            else { continue }
            counts[key(row, CivilDay.number(of: time, in: zone)), default: EngagementCounts()].count(outcome)
        }
    }

    private func key(_ row: Int, _ day: Int64) -> EngagementKey {
        guard let version = versions?.value(row), version.count <= Self.longestVersion else { return .other(day) }
        return EngagementKey(
            day: day, policyVersion: String(decoding: version, as: UTF8.self),
            rule: rules?.integer(row).flatMap(PromptRule.init(rawValue:)), plmn: PLMN(rawValue: networks.first(row)))
    }
}
