internal import GRDB
internal import Models

/// Which networks served the SIMs of an alarm, and so whose alarm it is besides.
extension AlertRouterStore {
    /// Notes networks that served a record of an alarm, other than that of the SIM.
    func note(_ serving: Set<PLMN>, of alarm: Int64, _ db: Database) throws {
        guard !serving.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: "INSERT INTO alarm_networks (alarm, plmn) VALUES (?, ?) ON CONFLICT DO NOTHING")
        for network in serving { try statement.execute(arguments: [alarm, network.rawValue]) }
    }

    static func networks(serving alarm: Int64, _ db: Database) throws -> Set<PLMN> {
        let statement = try db.cachedStatement(sql: "SELECT plmn FROM alarm_networks WHERE alarm = ?")
        return Set(try Int64.fetchAll(statement, arguments: [alarm]).map(PLMN.init(rawValue:)))
    }

    /// Alarms of a tenant with numbers after one and up to another, by number.
    func alarms(
        of tenant: AlertTenant, after: Int64, through: Int64, limit: Int, _ db: Database
    ) throws -> [Stored] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(Self.columns) FROM alarms
                WHERE number > ? AND number <= ? AND number IN (\(Self.numbers(for: tenant))) ORDER BY number LIMIT ?
                """, arguments: [after, through, limit]
        ).map(stored)
    }

    /// A query for the numbers of all alarms that a tenant is told.
    static func numbers(for tenant: AlertTenant) -> String {
        if tenant.isRegulator { return "SELECT number FROM alarms" }
        let numbers = Dictionary(grouping: tenant.scopes.sorted(), by: \.scheme).mapValues { scopes in
            scopes.map { "\($0.number)" }.joined(separator: ", ")
        }
        let own = numbers.sorted { $0.key < $1.key }.map {
            "SELECT number FROM alarms WHERE owner_scheme = '\($0.key)' AND owner IN (\($0.value))"
        }
        let served = "SELECT alarm FROM alarm_networks WHERE plmn IN (\(numbers[Scope.plmn] ?? ""))"
        return (own + [served]).joined(separator: " UNION ")
    }
}
