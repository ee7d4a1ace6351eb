internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Ingest's copy of standings: of each device that is shown its places. Inside the caller's transaction.
struct StandingCopies {
    static let migration = Migration(
        "standings",
        sql: """
            CREATE TABLE standing_places (
                device INTEGER NOT NULL, measure TEXT NOT NULL, period TEXT NOT NULL, from_day INTEGER NOT NULL,
                until_day INTEGER NOT NULL, rank INTEGER NOT NULL, count INTEGER NOT NULL, score INTEGER NOT NULL,
                nickname TEXT NOT NULL, PRIMARY KEY (device, measure, period)) STRICT, WITHOUT ROWID;
            CREATE INDEX standing_places_by_rank ON standing_places (measure, period, from_day, rank, nickname, device);
            CREATE TABLE standing_names (device INTEGER PRIMARY KEY, nickname TEXT NOT NULL) STRICT;
            """)

    /// Lines on either side of a subscriber's own.
    static let aside = 3

    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Takes over a record of kind `standing`; false if it cannot be read.
    func take(_ record: StateRecord) throws -> Bool {
        guard let device = UInt64(record.key) else { return false }
        let ordinal = Int64(bitPattern: device)
        let document = record.document.map { try? JSONDecoder().decode(StandingDocument.self, from: Data($0)) }
        if case .some(.none) = document { return false }
        try db.cachedStatement(sql: "DELETE FROM standing_places WHERE device = ?").execute(arguments: [ordinal])
        try db.cachedStatement(sql: "DELETE FROM standing_names WHERE device = ?").execute(arguments: [ordinal])
        guard case .some(.some(let standing)) = document else { return true }
        guard standing.device == device else { return false }
        try db.cachedStatement(sql: "INSERT INTO standing_names (device, nickname) VALUES (?, ?)")
            .execute(arguments: [ordinal, standing.nickname])
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO standing_places
                    (device, measure, period, from_day, until_day, rank, count, score, nickname)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for place in standing.places {
            try insert.execute(arguments: [
                ordinal, place.measure, place.period, place.from, place.until, place.rank, place.count, place.score,
                standing.nickname,
            ])
        }
        return true
    }

    /// Where a device stands in periods that are not over.
    func standings(of device: UInt64, today: Int64) throws -> (nickname: String?, [StandingsAnswer.Standing]) {
        let ordinal = Int64(bitPattern: device)
        let nickname = try String.fetchOne(
            db.cachedStatement(sql: "SELECT nickname FROM standing_names WHERE device = ?"), arguments: [ordinal])
        let own = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT measure, period, from_day, until_day, rank, count, nickname FROM standing_places
                    WHERE device = ? AND from_day <= ? AND until_day >= ? ORDER BY measure, until_day
                    """), arguments: [ordinal, today, today])
        return (
            nickname,
            try own.map { row in
                StandingsAnswer.Standing(
                    measure: row[0], period: row[1], from: row[2], until: row[3], count: row[5],
                    lines: try lines(around: row, of: ordinal))
            }
        )
    }

    /// The own line and those next to it, by rank, of one rank by name.
    private func lines(around own: Row, of device: Int64) throws -> [StandingsAnswer.Line] {
        func side(_ comparison: String, _ order: String, _ limit: Int) throws -> [StandingsAnswer.Line] {
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT rank, nickname, score, device FROM standing_places
                        WHERE measure = ? AND period = ? AND from_day = ? AND (rank, nickname, device) \(comparison) (?, ?, ?)
                        ORDER BY rank \(order), nickname \(order), device \(order) LIMIT ?
                        """),
                arguments: [
                    own[0] as String, own[1] as String, own[2] as Int64, own[4] as Int64, own[6] as String, device,
                    limit,
                ]
            ).map { row in
                StandingsAnswer.Line(
                    rank: row[0], nickname: row[1], score: row[2], isOwn: (row[3] as Int64) == device)
            }
        }
        return try side("<", "DESC", Self.aside).reversed() + side(">=", "ASC", Self.aside + 1)
    }
}
