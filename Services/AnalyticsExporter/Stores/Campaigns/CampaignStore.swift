internal import Foundation
package import GRDB
package import Models
internal import Storage
package import Wire

/// Copies of the dispatcher's figures of campaigns, in the exporter's own database: figures about nobody. Every function runs in the
/// caller's transaction.
package enum CampaignStore {
    package static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE campaign_days (
                    campaign TEXT NOT NULL, day INTEGER NOT NULL, operators TEXT NOT NULL, grants INTEGER NOT NULL,
                    spent INTEGER NOT NULL, new_devices INTEGER NOT NULL, document BLOB NOT NULL,
                    PRIMARY KEY (campaign, day)) WITHOUT ROWID;
                """)
    }

    /// Takes over the rows of a block of kind `campaign_day`.
    package static func apply(_ columns: Columns, in db: Database) throws {
        guard let keys = columns[ColumnID.key] else { return }
        let documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row).map({ String(decoding: $0, as: UTF8.self) }) else { continue }
            guard let bytes = documents?.value(row).map(Array.init) else {
                try db.execute(sql: "DELETE FROM campaign_days WHERE day || '/' || campaign = ?", arguments: [key])
                continue
            }
            let day = try JSONDecoder().decode(CampaignDayDocument.self, from: Data(bytes))
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO campaign_days (
                        campaign, day, operators, grants, spent, new_devices, document)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    day.campaign, day.day, day.operators.joined(separator: " "), day.granted.grants, day.spentXAF,
                    day.newDevices, Blob.value(bytes),
                ])
        }
    }

    /// The days of a period, by campaign and day.
    ///
    /// - Parameter campaign: which one; nil for all.
    package static func days(
        _ days: ClosedRange<Int64>, of campaign: String?, limit: Int, _ db: Database
    ) throws -> [CampaignDayDocument] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT document FROM campaign_days WHERE day BETWEEN ?1 AND ?2 AND (?3 IS NULL OR campaign = ?3)
                ORDER BY campaign, day LIMIT ?4
                """, arguments: [days.lowerBound, days.upperBound, campaign, limit]
        ).map { try JSONDecoder().decode(CampaignDayDocument.self, from: Data(Blob.bytes($0, 0))) }
    }

    /// What each campaign did since its first day, by the networks that it was for then.
    package static func sums(of campaign: String?, _ db: Database) throws -> [CampaignSum] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT campaign, operators, sum(grants), sum(spent), sum(new_devices) FROM campaign_days
                WHERE ?1 IS NULL OR campaign = ?1 GROUP BY campaign, operators ORDER BY campaign, operators
                """, arguments: [campaign]
        ).map { row in
            CampaignSum(
                campaign: row[0], operators: (row[1] as String).split(separator: " ").map(String.init), grants: row[2],
                spentXAF: row[3], devices: row[4])
        }
    }
}

/// What a campaign did since its first day.
package struct CampaignSum: Sendable, Equatable {
    package let campaign: String
    package let operators: [String]
    package let grants: Int64
    /// Whole XAF.
    package let spentXAF: Int64
    /// Whom it has reached.
    package let devices: Int64
}

extension CampaignDayDocument {
    /// What the budget has less, whole XAF.
    package var spentXAF: Int64 { paid.xaf + open.xaf }
}
