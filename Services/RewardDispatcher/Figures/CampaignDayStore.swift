internal import Foundation
internal import GRDB
internal import Models
internal import Storage
internal import SubjectRights

/// Figures of campaigns by day in the dispatcher's database. About nobody. Every function runs in the caller's transaction.
///
///     campaign_days(campaign, day, document, told)   see ``CampaignDayDocument``; told: the lane has it
struct CampaignDayStore {
    /// With what is known of grants that there are: their records' positions are not, nor what was refused.
    static let migration = Migration("figures of campaigns") { db in
        try db.execute(
            sql: """
                CREATE TABLE campaign_days (
                    campaign TEXT NOT NULL, day INTEGER NOT NULL, document BLOB NOT NULL, told INTEGER NOT NULL,
                    PRIMARY KEY (campaign, day)) STRICT, WITHOUT ROWID;
                CREATE INDEX campaign_days_untold ON campaign_days (told) WHERE told = 0;
                ALTER TABLE grants ADD COLUMN placed INTEGER NOT NULL DEFAULT 0;
                """)
        try gather(db)
    }

    func day(_ campaign: String, _ day: Int64, _ db: Database) throws -> CampaignDayDocument? {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT document FROM campaign_days WHERE campaign = ? AND day = ?"),
            arguments: [campaign, day]
        ).map { try JSONDecoder().decode(CampaignDayDocument.self, from: $0) }
    }

    /// All days of a campaign, ascending.
    func days(of campaign: String, _ db: Database) throws -> [CampaignDayDocument] {
        try Data.fetchAll(
            db, sql: "SELECT document FROM campaign_days WHERE campaign = ? ORDER BY day", arguments: [campaign]
        ).map { try JSONDecoder().decode(CampaignDayDocument.self, from: $0) }
    }

    func save(_ document: CampaignDayDocument, isTold: Bool = true, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO campaign_days (campaign, day, document, told) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [document.campaign, document.day, Data(try SortedJSON.bytes(of: document)), isTold])
    }

    /// Those that the lane has not; the oldest first.
    func untold(limit: Int, _ db: Database) throws -> [CampaignDayDocument] {
        try Data.fetchAll(
            db, sql: "SELECT document FROM campaign_days WHERE told = 0 ORDER BY day, campaign LIMIT ?",
            arguments: [limit]
        ).map { try JSONDecoder().decode(CampaignDayDocument.self, from: $0) }
    }

    private static func gather(_ db: Database) throws {
        let networks = try RewardDispatcherStore().campaigns(db)?.reduce(into: [:]) { $0[$1.id] = $1.operators } ?? [:]
        let firsts = try Row.fetchAll(
            db,
            sql: """
                SELECT campaign, day, count(*) FROM (
                    SELECT campaign, min(day) AS day FROM grants GROUP BY campaign, coalesce(erased_owner, device))
                GROUP BY campaign, day
                """
        ).reduce(into: [String: Int64]()) { $0["\($1[1] as Int64)/\($1[0] as String)"] = $1[2] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT campaign, day, state, suspected <> '' AND state = 'pending', count(*), sum(amount) FROM grants
                GROUP BY campaign, day, state, 4
                """)
        let devices = try Row.fetchAll(
            db,
            sql: """
                SELECT campaign, day, count(DISTINCT coalesce(erased_owner, device)) FROM grants GROUP BY campaign, day
                """
        ).reduce(into: [String: Int64]()) { $0["\($1[1] as Int64)/\($1[0] as String)"] = $1[2] }
        var days: [String: CampaignDayDocument] = [:]
        for row in rows {
            let new = CampaignDayDocument(campaign: row[0], day: row[1], operators: networks[row[0]] ?? [])
            let figure = GrantFigure(
                state: GrantState(rawValue: row[2]) ?? .unknown, isHeld: row[3], isUseful: false,
                sum: CampaignDayDocument.Sum(grants: row[4], xaf: row[5]))
            figure.count(1, in: &days[new.key, default: new])
        }
        for (key, var day) in days {
            day.devices = devices[key] ?? 0
            day.newDevices = firsts[key] ?? 0
            try CampaignDayStore().save(day, isTold: false, db)
        }
    }
}
