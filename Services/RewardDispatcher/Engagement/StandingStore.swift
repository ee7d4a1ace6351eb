internal import Engagement
internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Who agreed to be shown in standings, under which name, and what was told of them. Every function runs in the caller's
/// transaction.
///
///     nicknames(device, nickname)        who is shown
///     standings_told(device, document)   what the lane has of each
struct StandingStore {
    static let migration = Migration(
        "standings",
        sql: """
            CREATE TABLE nicknames (device INTEGER PRIMARY KEY, nickname TEXT NOT NULL) STRICT;
            CREATE TABLE standings_told (device INTEGER PRIMARY KEY, document BLOB NOT NULL) STRICT;
            """)

    /// Takes a name, or withdraws it.
    func put(_ nickname: String?, of device: UInt64, _ db: Database) throws {
        let device = Int64(bitPattern: device)
        guard let nickname else {
            try db.execute(
                sql:
                    "UPDATE nicknames SET nickname = replace(hex(zeroblob(length(nickname))), '00', '0') WHERE device = ?",
                arguments: [device])
            return try db.execute(sql: "DELETE FROM nicknames WHERE device = ?", arguments: [device])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO nicknames (device, nickname) VALUES (?, ?)", arguments: [device, nickname])
    }

    /// Of everybody who is shown.
    func nicknames(_ db: Database) throws -> [UInt64: String] {
        try Row.fetchAll(db, sql: "SELECT device, nickname FROM nicknames").reduce(into: [:]) {
            $0[UInt64(bitPattern: $1[0] as Int64)] = $1[1] as String
        }
    }

    func nickname(of device: UInt64, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT nickname FROM nicknames WHERE device = ?"),
            arguments: [Int64(bitPattern: device)])
    }

    /// What those who are shown did of a measure on the days of a range.
    func scores(_ measure: String, _ days: Range<Int64>, _ db: Database) throws -> [UInt64: Int64] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT nicknames.device, sum(amount) FROM nicknames JOIN engagement_days
                        ON engagement_days.device = nicknames.device AND measure = ? AND day >= ? AND day < ?
                    GROUP BY nicknames.device
                    """), arguments: [measure, days.lowerBound, days.upperBound]
        ).reduce(into: [:]) { $0[UInt64(bitPattern: $1[0] as Int64)] = $1[1] as Int64 }
    }

    /// What the lane has of each, as it was written.
    func told(_ db: Database) throws -> [UInt64: [UInt8]] {
        try Row.fetchAll(db, sql: "SELECT device, document FROM standings_told").reduce(into: [:]) {
            $0[UInt64(bitPattern: $1[0] as Int64)] = [UInt8]($1[1] as Data)
        }
    }

    /// - Parameter document: nil if the lane has none any more.
    func tell(_ document: [UInt8]?, of device: UInt64, _ db: Database) throws {
        let device = Int64(bitPattern: device)
        guard let document else {
            return try db.cachedStatement(sql: "DELETE FROM standings_told WHERE device = ?").execute(arguments: [
                device
            ])
        }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO standings_told (device, document) VALUES (?, ?)")
            .execute(arguments: [device, Data(document)])
    }
}
