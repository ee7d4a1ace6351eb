internal import Engagement
internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Ends competitions of campaigns: once late records have come, those who contributed most on its days are found, and get a grant each.
///
/// Who wins is a function of what devices have contributed by then: late records count, and a subject erased before has not
/// taken part. Confined to the thread of the effects, in their transactions.
struct CompetitionBook {
    static let migration = Migration(
        "competitions that are over",
        sql: "CREATE TABLE competitions_over (campaign TEXT NOT NULL PRIMARY KEY, day INTEGER NOT NULL) STRICT")

    /// How soon it is looked again whether a day has ended.
    private static let pause: UnixMilliseconds = 3_600_000

    private let zone: TimeZone
    /// The last local day for which competitions were looked at.
    private var today: Int64 = .min
    /// When they are looked at next; nil if none is ahead of its end.
    private(set) var dueAt: UnixMilliseconds? = 0

    init(zone: TimeZone) { self.zone = zone }

    /// Campaigns have changed.
    mutating func noteCampaigns() {
        today = .min
        dueAt = 0
    }

    /// Winners of competitions that have ended since the last look, by campaign, the best first.
    mutating func winners(
        _ campaigns: [CampaignDocument], now: UnixMilliseconds, _ db: Database
    ) throws -> [(campaign: CampaignDocument, devices: [UInt64])] {
        guard let dueAt, dueAt <= now else { return [] }
        let day = CivilDay.number(of: now, in: zone)
        self.dueAt = now + Self.pause
        guard day != today else { return [] }
        today = day
        var ended: [(CampaignDocument, [UInt64])] = [], isAnyAhead = false
        for campaign in campaigns where campaign.isActive {
            guard let competition = Competition(campaign, zone) else { continue }
            guard competition.phase(today: day) == .over else {
                isAnyAhead = true
                continue
            }
            try db.execute(
                sql: "INSERT OR IGNORE INTO competitions_over (campaign, day) VALUES (?, ?)",
                arguments: [campaign.id, day])
            guard db.changesCount > 0 else { continue }
            ended.append((campaign, try Self.winners(competition, db)))
        }
        if !isAnyAhead { self.dueAt = nil }
        return ended
    }

    private static func winners(_ competition: Competition, _ db: Database) throws -> [UInt64] {
        let entries = try Row.fetchAll(
            db,
            sql: """
                SELECT device, sum(amount) FROM engagement_days WHERE measure = ? AND day >= ? AND day < ? GROUP BY device
                """, arguments: [competition.measure, competition.days.lowerBound, competition.days.upperBound]
        ).map { row in
            Standings.Entry(subject: UInt64(bitPattern: row[0] as Int64), nickname: "", score: row[1])
        }
        return competition.winners(Standings(entries)).map(\.entry.subject)
    }
}

extension Competition {
    /// Nil for a campaign that is none.
    init?(_ campaign: CampaignDocument, _ zone: TimeZone) {
        guard let competition = campaign.competition, campaign.from < campaign.to else { return nil }
        let first = CivilDay.number(of: campaign.from, in: zone)
        self.init(
            id: campaign.id, measure: campaign.kindName,
            days: first..<CivilDay.number(of: campaign.to - 1, in: zone) + 1, winners: Int(competition.winners),
            least: competition.least)
    }
}
