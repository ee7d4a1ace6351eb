internal import GRDB
internal import Models

/// How a request for access stands, as operators see it. Names no ordinal.
struct AccessStanding: Encodable, Sendable, Equatable {
    let request: String
    /// HMAC of the device id: as in the audit log.
    let subject: String
    let source: String
    let state: String
    let requested_at_ms: UnixMilliseconds
    let expires_at_ms: UnixMilliseconds
    let completed_at_ms: UnixMilliseconds?
    /// When it expired or was withdrawn.
    let closed_at_ms: UnixMilliseconds?
    /// Services that have given everything.
    var services: [String] = []
}

extension AccessRequests {
    /// A page of requests, the newest first.
    func page(before: (time: UnixMilliseconds, request: String), limit: Int) throws -> [AccessStanding] {
        try standings(
            "(requested_at, request) < (?, ?) ORDER BY requested_at DESC, request DESC LIMIT ?",
            [before.time, before.request, limit])
    }

    func standing(_ request: String) throws -> AccessStanding? { try standings("request = ?", [request]).first }

    /// How many are not answered yet, how many answers wait to be fetched, and the age of the oldest that is not answered.
    func figures(now: UnixMilliseconds) throws -> (open: Int, completed: Int, oldest: UnixMilliseconds?) {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*) FILTER (WHERE state IN ('waiting', 'open')), count(*) FILTER (WHERE state = 'completed'),
                    min(requested_at) FILTER (WHERE state IN ('waiting', 'open'))
                FROM access_requests WHERE state <> 'closed'
                """)
        return (row?[0] ?? 0, row?[1] ?? 0, (row?[2] as UnixMilliseconds?).map { now - $0 })
    }

    private func standings(_ condition: String, _ arguments: StatementArguments) throws -> [AccessStanding] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT request, subject, source, state, requested_at, expires_at, completed_at, closed_at
                FROM access_requests WHERE \(condition)
                """, arguments: arguments)
        return try rows.map { row in
            AccessStanding(
                request: row[0], subject: row[1], source: row[2], state: row[3], requested_at_ms: row[4],
                expires_at_ms: row[5], completed_at_ms: row[6], closed_at_ms: row[7],
                services: try complete(row[0]).keys.sorted())
        }
    }
}
