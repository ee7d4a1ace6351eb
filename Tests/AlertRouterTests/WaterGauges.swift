import Lanes
import Models
import QoE
import Wire

@testable import AlertRouter

/// A small programme: rain gauges, which belong to sites, and people who tell that one is flooded or stuck.
struct WaterGauges {
    static let site: UInt8 = 128, gauge: UInt8 = 129, state: UInt8 = 130

    static let flooded = problem(64, "urgent.flood", .critical, "a gauge is flooded", state: 2)
    static let stuck = problem(65, "urgent.stuck", .minor, "a gauge is stuck", state: 1)

    static let record = RecordKind(
        id: 64, name: "gauge_reading", version: 1,
        fields: Field.identity + [
            Field(site, "site", .digits, range: 1...0xff_ffff), Field(gauge, "gauge", .digits),
            Field(state, "state", .number(scale: 1), range: 0...2),
        ], serverFields: Field.reception, problems: [flooded, stuck])

    static let kind = ProgrammeKind(
        record, path: "/v1/gauges",
        description: .init(schema: "Gauge", operation: "sendGauges", summary: "Sends gauges", example: "{}", csv: ""),
        scope: .number(scheme: "site", column: site), subject: .number(scheme: "gauge", column: gauge),
        held: .init(english: "gauges", french: "pluviomètres", whyEnglish: "rain", whyFrench: "pluie"))

    static func programmes() throws -> Programmes {
        try Programmes([.raisingAll, Programme(number: 2, name: "rain", kinds: [kind])])
    }

    private static func problem(
        _ number: Int64, _ rule: String, _ severity: Severity, _ text: String, state: Int64
    ) -> AlarmProblem {
        AlarmProblem(
            number, rule: rule, severity: severity, type: "environmentalAlarm", cause: "floodDetected", text: text,
            french: text, when: [ColumnCondition(WaterGauges.state, is: state)])
    }

    /// One row of it.
    struct Reading {
        var device: Int64 = 1
        var site: Int64? = 12
        var gauge: Int64? = 7
        var state: Int64 = 2
    }

    static func columns(_ rows: [Reading], at time: UnixMilliseconds) -> Columns {
        Columns(
            rowCount: rows.count,
            columns: [
                Column(id: ColumnID.device, values: rows.map(\.device)),
                Column(id: ColumnID.receivedAt, encoding: .delta, values: rows.map { _ in time }),
                Column(id: site, values: rows.map(\.site)), Column(id: gauge, values: rows.map(\.gauge)),
                Column(id: state, values: rows.map(\.state)),
            ])
    }

    static func block(
        _ number: UInt64, _ rows: [Reading], at time: UnixMilliseconds = 1_750_000_000_000, kind: RecordKind = record
    ) throws -> LaneBlock {
        try LaneBlock(
            .realtime, number, kind, columns(rows, at: time), committedAt: time,
            subjects: Set(rows.map { UInt64($0.device) }))
    }
}
