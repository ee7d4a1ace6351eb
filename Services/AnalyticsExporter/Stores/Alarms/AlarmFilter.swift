package import ExporterSupport
package import GRDB
internal import Models
internal import Storage

/// Which alarms are meant: by the names of their attributes, as TMF630 has it, `perceivedSeverity=major,minor&plmn=62402`, or by our
/// own, `severity=major,minor&plmn=62402`.
///
/// Values of one attribute are alternatives; attributes hold together. What an attribute is compared with is what the tenant sees.
package struct AlarmFilter: Sendable {
    /// By which names attributes are called.
    package enum Spelling: Sendable {
        /// As TMF642 calls them.
        case tmf
        /// As `GET /v1/alarms` does.
        case own

        private static let attributes = [
            ("severity", "perceivedSeverity"), ("state", "state"), ("ack", "ackState"), ("plmn", "plmn"),
            ("quadkey", "place"), ("subject", "alarmedObject.id"), ("rule", "rule"), ("from", "alarmRaisedTime.gte"),
            ("to", "alarmRaisedTime.lt"),
        ]

        /// What can be given.
        package var names: [String] { self == .tmf ? AlarmFilter.names : Self.attributes.map(\.0) }

        fileprivate func attribute(_ name: String) -> String? {
            self == .tmf ? name : Self.attributes.first { $0.0 == name }?.1
        }
    }

    private enum Form {
        case text
        case words([String])
        /// Five or six digits, or `unknown`.
        case plmn
        /// A quadkey in which the place lies.
        case prefix
        case time
    }

    private struct Term: Sendable {
        let sql: String
        let values: [String]
    }

    private static let attributes: [(name: String, sql: String, form: Form)] = [
        ("id", "a.alarm", .text),
        (
            "perceivedSeverity", member("perceivedSeverity"),
            .words(["critical", "major", "minor", "warning", "indeterminate", "cleared"])
        ),
        (
            "ackState",
            """
            CASE WHEN json_extract(CAST(h.document AS TEXT), '$.acknowledgement') IS NULL
                THEN 'unacknowledged' ELSE 'acknowledged' END
            """, .words(["acknowledged", "unacknowledged"])
        ),
        ("state", member("state"), .words(["raised", "updated", "cleared"])),
        ("alarmType", member("alarmType"), .text), ("probableCause", member("probableCause"), .text),
        ("alarmedObjectType", member("alarmedObjectType"), .text),
        ("alarmedObject.id", member("alarmedObject.id"), .text),
        ("plmn", member("plmn"), .plmn), ("scope", member("scope"), .text), ("rule", member("rule"), .text),
        ("owner", "json_extract(CAST(h.document AS TEXT), '$.owner')", .text),
        ("place", member("place[0].id"), .prefix),
        ("alarmRaisedTime", member("alarmRaisedTime"), .time), ("alarmChangedTime", member("alarmChangedTime"), .time),
        ("alarmClearedTime", member("alarmClearedTime"), .time),
        ("alarmReportingTime", member("alarmReportingTime"), .time),
    ]

    private static let comparisons = [("", "="), (".gt", ">"), (".gte", ">="), (".lt", "<"), (".lte", "<=")]

    private static func member(_ path: String) -> String { "json_extract(CAST(a.document AS TEXT), '$.\(path)')" }

    /// What can be given as ``Spelling/tmf``.
    private static let names: [String] = attributes.flatMap { attribute in
        if case .time = attribute.form { comparisons.map { attribute.name + $0.0 } } else { [attribute.name] }
    }

    private var terms: [Term] = []
    /// Names that were given.
    private var given: Set<String> = []

    /// Whether it means every alarm.
    package var isEmpty: Bool { terms.isEmpty }

    /// Every alarm.
    package init() {}

    /// - Parameter prefix: what stands before a name in faults.
    package init(
        _ pairs: some Sequence<(key: String, value: String)>, spelled spelling: Spelling = .tmf, in prefix: String = ""
    ) throws(ParameterFault) {
        for (name, value) in pairs { try add(name, value, spelling, prefix) }
    }

    /// The same, without alarms that are over unless it names `id` or `state`.
    package var ofOpenUnlessNamed: AlarmFilter {
        guard !given.contains("id"), !given.contains("state") else { return self }
        var filter = self
        filter.terms.append(Term(sql: "\(Self.member("state")) <> ?", values: ["cleared"]))
        return filter
    }

    private mutating func add(_ name: String, _ text: String, _ spelling: Spelling, _ prefix: String)
        throws(ParameterFault)
    {
        let fault = prefix + name
        guard let attribute = spelling.attribute(name), let (sql, form, comparison) = Self.found(attribute) else {
            throw ParameterFault(
                fault, "nothing that alarms are found by; allowed: \(spelling.names.joined(separator: ", "))",
                code: "unknown_parameter")
        }
        guard given.insert(attribute).inserted else {
            throw ParameterFault(fault, "given more than once; alternatives stand in one, with commas")
        }
        var values = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard values.count <= 100,
            values.allSatisfy({ value in
                (1...200).contains(value.count)
                    && value.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            })
        else { throw ParameterFault(fault, "expected 1…100 values of 1…200 characters, commas between them") }
        switch form {
        case .text: break
        case .words(let words):
            if let other = values.first(where: { !words.contains($0) }) {
                throw ParameterFault(fault, "\"\(other)\": expected some of \(words.joined(separator: ", "))")
            }
        case .plmn:
            if let other = values.first(where: { PLMN(text: $0) == nil && $0 != "unknown" }) {
                throw ParameterFault(
                    fault, "\"\(other)\": expected five or six digits (MCC and MNC), or unknown")
            }
        case .prefix:
            if let other = values.first(where: { !$0.allSatisfy("0123".contains) }) {
                throw ParameterFault(fault, "\"\(other)\": expected a quadkey, digits 0…3")
            }
            terms.append(
                Term(sql: values.map { _ in "instr(\(sql), ?) = 1" }.joined(separator: " OR "), values: values))
            return
        case .time:
            let query = try QueryParameters([(key: fault, value: text)], known: [fault])
            values = [Timestamp.text(try query.instant(fault) ?? 0)]
        }
        terms.append(Term(sql: values.map { _ in "\(sql) \(comparison) ?" }.joined(separator: " OR "), values: values))
    }

    private static func found(_ name: String) -> (sql: String, form: Form, comparison: String)? {
        for attribute in attributes {
            if attribute.name == name { return (attribute.sql, attribute.form, "=") }
            guard case .time = attribute.form else { continue }
            if let comparison = comparisons.first(where: { attribute.name + $0.0 == name }) {
                return (attribute.sql, attribute.form, comparison.1)
            }
        }
        return nil
    }

    /// As a condition on `alarms a` and `alarm_handlings h`.
    fileprivate var condition: String {
        terms.isEmpty ? "1" : terms.map { "(\($0.sql))" }.joined(separator: " AND ")
    }

    fileprivate var arguments: [String] { terms.flatMap(\.values) }
}

extension AlarmStore {
    /// Alarms in scope that one of some filters means, in the order of their identifiers.
    private static func query(_ filters: [AlarmFilter], _ tenant: Tenant) -> (sql: String, arguments: [String]) {
        let meant = filters.map { "(\($0.condition))" }.joined(separator: " OR ")
        let sql = """
            FROM alarms a LEFT JOIN alarm_handlings h ON h.alarm = a.alarm AND h.tenant = ?
            WHERE \(condition(tenant.scope)) AND (\(meant.isEmpty ? "0" : meant))
            """
        return (sql, [tenant.name] + filters.flatMap(\.arguments))
    }

    /// Some of the alarms that a filter means, and how many there are.
    package static func page(_ filter: AlarmFilter, offset: Int, limit: Int, _ tenant: Tenant, _ db: Database) throws
        -> (documents: [[UInt8]], count: Int)
    {
        let (sql, arguments) = query([filter], tenant)
        let count = try Int.fetchOne(db, sql: "SELECT count(*) \(sql)", arguments: StatementArguments(arguments))
        let documents = try Row.fetchAll(
            db, sql: "SELECT a.document, h.document \(sql) ORDER BY a.alarm LIMIT \(limit) OFFSET \(offset)",
            arguments: StatementArguments(arguments)
        ).map { try AlarmHandlingStore.shown(Blob.bytes($0, 0), Blob.optionalBytes($0, 1)) }
        return (documents, count ?? 0)
    }

    /// Alarms that a filter means, in the order of their identifiers, and where the next page begins.
    ///
    /// - Parameters:
    ///   - id: those after it; an identifier that no alarm has is as good as any.
    ///   - limit: at most so many.
    package static func page(_ filter: AlarmFilter, after id: String, limit: Int, _ tenant: Tenant, _ db: Database)
        throws
        -> (documents: [[UInt8]], next: String?)
    {
        let (sql, arguments) = query([filter], tenant)
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT a.document, h.document, a.alarm \(sql) AND a.alarm > ? ORDER BY a.alarm LIMIT \(limit + 1)",
            arguments: StatementArguments(arguments + [id]))
        let documents = try rows.prefix(limit).map {
            try AlarmHandlingStore.shown(Blob.bytes($0, 0), Blob.optionalBytes($0, 1))
        }
        return (documents, rows.count > limit ? rows[limit - 1][2] : nil)
    }

    /// Identifiers of alarms that one of some filters means, at most so many.
    package static func alarms(meantBy filters: [AlarmFilter], limit: Int, _ tenant: Tenant, _ db: Database) throws
        -> [String]
    {
        let (sql, arguments) = query(filters, tenant)
        return try String.fetchAll(
            db, sql: "SELECT a.alarm \(sql) ORDER BY a.alarm LIMIT \(limit)", arguments: StatementArguments(arguments))
    }
}
