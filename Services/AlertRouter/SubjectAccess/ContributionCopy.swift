internal import GRDB
internal import Models
internal import SubjectRights

/// What the router holds about a subscriber: in which alarms its records count.
final class ContributionCopy: SubjectCopy {
    private let store: AlertRouterStore

    init(_ store: AlertRouterStore) { self.store = store }

    /// Alarms of a page.
    private static let alarmsAtOnce = 100

    let held = [
        HeldKind(
            "alarm_contribution",
            what: BilingualText(
                en: "alarms to operators in which records of this device count",
                fr: "alarmes aux opérateurs dans lesquelles comptent des mesures de cet appareil"),
            why: BilingualText(
                en: "an alarm counts each device once; `GET /v1/me/impact` shows what it helped to raise",
                fr: "une alarme compte chaque appareil une fois ; `GET /v1/me/impact` montre ce qu'il a aidé à signaler"
            ),
            kept: BilingualText(
                en: "as long as the alarm (docs/retention.md)", fr: "aussi longtemps que l'alarme (docs/retention.md)"),
            members: [
                HeldMember("alarm", .string, "the alarm's identifier"),
                HeldMember("network", .string, "MCC and MNC of the network it is about; left out if it is about none"),
                HeldMember("scope", .string, "whose it is where that is no network: `site:12`"),
                HeldMember("subject", .string, "the number of what it is about where that is no cell"),
                HeldMember("cell", .string, "quadkey of level 16; left out if the place was not known well enough"),
                HeldMember("problem", .string, "the rule that raised it"),
                HeldMember("severity", .string, "of the alarm now"),
                HeldMember("raised_at_ms", .integer, "Unix milliseconds"),
                HeldMember("records", .integer, "records of this device in it; left out if they were not counted"),
                HeldMember("first_at_ms", .integer, "when the first of them came, Unix milliseconds"),
            ])
    ]

    private struct Line: Encodable {
        let alarm: String
        let network: String?
        let scope: String?
        let subject: String?
        let cell: String?
        let problem: String
        let severity: String
        let raised_at_ms: UnixMilliseconds
        let records: Int64?
        let first_at_ms: UnixMilliseconds?
    }

    /// After a place, which is the number of the last alarm.
    func page(of device: UInt64, after place: String?, in db: Database) throws -> SubjectPage {
        let alarm = AlertRouterStore.columns.split(separator: ", ").map { "alarms.\($0)" }.joined(separator: ", ")
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(alarm), alarm_devices.records AS records_of_device, first_at
                FROM alarm_devices JOIN alarms ON alarms.number = alarm_devices.alarm
                WHERE alarm_devices.device = ? AND alarm_devices.alarm > ? ORDER BY alarm_devices.alarm LIMIT ?
                """)
        let rows = try Row.fetchAll(
            statement,
            arguments: [Int64(bitPattern: device), place.flatMap { Int64($0) } ?? Int64.min, Self.alarmsAtOnce])
        let last: Int64? = rows.last?[0]
        return SubjectPage(
            lines: try rows.map(line), next: rows.count < Self.alarmsAtOnce ? nil : last.map { String($0) })
    }

    private func line(_ row: Row) throws -> SubjectLine {
        let alarm = try store.stored(row).alarm, key = alarm.key
        var subject: String?
        if case .number = key.subject { subject = key.subject.text }
        let line = Line(
            alarm: alarm.id, network: key.isOfNetworks ? key.ownerText : nil,
            scope: key.isOfNetworks ? nil : key.owner?.text,
            subject: subject, cell: key.subject.cell?.text, problem: alarm.problem.rule,
            severity: alarm.severity.rawValue,
            raised_at_ms: alarm.raisedAt, records: row["records_of_device"], first_at_ms: row["first_at"])
        return try SubjectLine("alarm_contribution", at: line.first_at_ms ?? alarm.raisedAt, line)
    }
}
