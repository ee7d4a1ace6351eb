internal import GRDB
internal import Models
internal import Storage

/// What campaigns may still grant: in all, by cell and day, by device and by number. In the caller's transaction; what is spent in all
/// is kept in memory, so that no grant costs more because there were many.
///
///     campaign_cells(campaign, day, cell, granted)   XAF that were granted for a cell of level 13 on a local day, paid or not
struct CampaignLimits {
    static let migration = Migration(
        "budgets by cell and day",
        sql: """
            CREATE TABLE campaign_cells (
                campaign TEXT NOT NULL, day INTEGER NOT NULL, cell TEXT NOT NULL, granted INTEGER NOT NULL,
                PRIMARY KEY (campaign, day, cell)) STRICT, WITHOUT ROWID;
            """)

    /// Days for which cells are kept: records come so late.
    static let keptDays: Int64 = 10

    private let ledger = Ledger()
    /// What is granted and was not given back, by campaign, whole XAF; those that were asked for.
    private var spent: [String: Int64] = [:]
    private var lastDay: Int64 = .min

    /// Why a campaign that covers a record does not pay for it; nil if it does.
    ///
    /// - Parameter day: the local day of its receipt.
    mutating func refusal(
        _ campaign: CampaignDocument, _ record: RewardedRecord, day: Int64, _ db: Database
    ) throws -> GrantRefusal? {
        guard try hasBudget(campaign, db) else { return .budget }
        if let wanted = campaign.undersampledCell {
            let records = try CellDays().records(around: record, day: day, days: wanted.days, db)
            // A record without a position belongs to no cell.
            guard let records, records < wanted.records else { return .wellSampled }
        }
        if campaign.dailyMaximum > 0 {
            let count = try RewardDispatcherStore().count(record.device, campaign.id, day: day, db)
            guard count < campaign.dailyMaximum else { return .dailyMaximum }
        }
        if let most = campaign.deviceMaximum {
            guard try count(record.device, campaign.id, db) < most else { return .deviceMaximum }
        }
        if let most = campaign.numberDailyMaximum {
            guard try countOfNumber(record.device, campaign.id, day, db) < most else { return .numberDailyMaximum }
        }
        // Records without a position share one cell.
        if let budget = campaign.cellDayBudgetXAF {
            let granted = try granted(campaign.id, day, record.cell?.text ?? "", db)
            guard granted + campaign.amountXAF <= budget else { return .cellBudget }
        }
        return nil
    }

    /// Whether there is enough left in all for another grant.
    mutating func hasBudget(_ campaign: CampaignDocument, _ db: Database) throws -> Bool {
        try campaign.budgetXAF.map { try spent(campaign.id, db) + campaign.amountXAF <= $0 } ?? true
    }

    /// A record is paid for.
    mutating func note(_ campaign: CampaignDocument, _ record: RewardedRecord, day: Int64, _ db: Database) throws {
        move(campaign.id, campaign.amountXAF)
        guard campaign.cellDayBudgetXAF != nil else { return }
        if day > lastDay {
            lastDay = day
            try db.execute(sql: "DELETE FROM campaign_cells WHERE day < ?", arguments: [day - Self.keptDays])
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO campaign_cells (campaign, day, cell, granted) VALUES (?, ?, ?, ?)
                ON CONFLICT (campaign, day, cell) DO UPDATE SET granted = granted + excluded.granted
                """
        ).execute(arguments: [campaign.id, day, record.cell?.text ?? "", campaign.amountXAF])
    }

    /// Money has left a campaign's budget, or has come back.
    mutating func move(_ campaign: String, _ amount: Int64) { spent[campaign]? += amount }

    private mutating func spent(_ campaign: String, _ db: Database) throws -> Int64 {
        if let known = spent[campaign] { return known }
        let sum = -(try ledger.balance(LedgerAccount(.budget, owner: campaign), db))
        spent[campaign] = sum
        return sum
    }

    /// Grants of a device by a campaign in all.
    func count(_ device: UInt64, _ campaign: String, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM grants WHERE device = ? AND campaign = ?"),
            arguments: [Int64(bitPattern: device), campaign]) ?? 0
    }

    /// Grants of all devices that have a device's number; of a device without one, none yet.
    private func countOfNumber(_ device: UInt64, _ campaign: String, _ day: Int64, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) FROM payouts JOIN grants
                        ON grants.device = payouts.device AND campaign = ? AND day = ?
                    WHERE mark = (SELECT mark FROM payouts WHERE device = ?)
                    """), arguments: [campaign, day, Int64(bitPattern: device)]) ?? 0
    }

    private func granted(_ campaign: String, _ day: Int64, _ cell: String, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT granted FROM campaign_cells WHERE campaign = ? AND day = ? AND cell = ?"),
            arguments: [campaign, day, cell]) ?? 0
    }
}
