internal import Foundation
internal import GRDB
internal import Models

/// Grants and campaigns in the dispatcher's database. Every function runs in the caller's transaction.
struct RewardDispatcherStore {
    private static let columns = """
        id, device, campaign, record, day, amount, state, attempts, asks, moves, sent_at, changed_at, due_at, reason,
        received_at, erased_owner, erased_id, failures, last_lost_attempt, paid_attempt, reference, provider_id, suspected,
        placed
        """
    private static let places = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")

    func grant(_ id: GrantID, _ db: Database) throws -> Grant? {
        let statement = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM grants WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id.text]).map(Self.grant)
    }

    /// True if the feedback has a grant, by whatever campaign.
    func isGranted(_ feedback: RewardedRecord, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM grants WHERE device = ? AND record = ?")
        return try Int.fetchOne(
            statement, arguments: [Int64(bitPattern: feedback.device), Data(feedback.record.bytes)]) != nil
    }

    /// Grants of a device by a campaign on a local day.
    func count(_ device: UInt64, _ campaign: String, day: Int64, _ db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT count(*) FROM grants WHERE device = ? AND campaign = ? AND day = ?")
        return try Int64.fetchOne(statement, arguments: [Int64(bitPattern: device), campaign, day]) ?? 0
    }

    /// Whether a device has grants of a campaign: on a local day, and at all.
    func reach(_ device: UInt64, _ campaign: String, day: Int64, _ db: Database) throws -> (isOfDay: Bool, isAny: Bool)
    {
        let device = Int64(bitPattern: device)
        let last = try db.cachedStatement(sql: "SELECT max(day) FROM grants WHERE device = ? AND campaign = ?")
        guard let lastDay = try Int64.fetchOne(last, arguments: [device, campaign]) else { return (false, false) }
        guard lastDay > day else { return (lastDay == day, true) }
        let ofDay = try db.cachedStatement(
            sql: "SELECT 1 FROM grants WHERE device = ? AND campaign = ? AND day = ? LIMIT 1")
        return (try Int.fetchOne(ofDay, arguments: [device, campaign, day]) != nil, true)
    }

    /// Adds a grant, or puts down how far it is now.
    func save(_ grant: Grant, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO grants (\(Self.columns)) VALUES (\(Self.places))
                ON CONFLICT (id) DO UPDATE SET state = excluded.state, attempts = excluded.attempts, asks = excluded.asks,
                    moves = excluded.moves, sent_at = excluded.sent_at, changed_at = excluded.changed_at,
                    due_at = excluded.due_at, reason = excluded.reason, failures = excluded.failures,
                    last_lost_attempt = excluded.last_lost_attempt, paid_attempt = excluded.paid_attempt,
                    reference = excluded.reference, provider_id = excluded.provider_id, suspected = excluded.suspected
                """
        ).execute(arguments: [
            grant.id.text, Int64(bitPattern: grant.device), grant.campaign, Data(grant.record.bytes), grant.day,
            grant.amount, grant.state.rawValue, grant.attempts, grant.asks, grant.moves, grant.sentAt, grant.changedAt,
            // What a provider says may name whom it is about.
            grant.dueAt, grant.erased == nil ? grant.reason : "", grant.receivedAt, grant.erased?.owner,
            grant.erased?.id.text, grant.failures, grant.lastLostAttempt, grant.paidAttempt,
            grant.reference?.text ?? "", grant.providerID, grant.suspected, grant.isPlaced,
        ])
    }

    /// Grants about which something is to be done by now, longest due first.
    func due(_ now: UnixMilliseconds, limit: Int, _ db: Database) throws -> [Grant] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.columns) FROM grants WHERE due_at <= ? ORDER BY due_at, id LIMIT ?")
        return try Row.fetchAll(statement, arguments: [now, limit]).map(Self.grant)
    }

    /// What a device is owed is looked at again now.
    func wake(_ device: UInt64, _ now: UnixMilliseconds, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE grants SET due_at = ?1 WHERE device = ?2 AND state = 'pending' AND due_at > ?1",
            arguments: [now, Int64(bitPattern: device)])
    }

    /// What is held for a reason is looked at again now. The states are named for the index of open grants.
    func wake(heldFor reason: String, _ now: UnixMilliseconds, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE grants SET due_at = ?1 WHERE state IN ('sent', 'asked', 'unknown', 'pending') AND state = 'pending'
                    AND reason = ?2 AND due_at > ?1
                """, arguments: [now, reason])
    }

    /// By what an order is known: our reference, or the provider's own name of it.
    enum OrderName: String {
        case reference
        case providerID = "provider_id"
    }

    /// Whether a grant's present attempt is known by a name.
    func isKnown(_ name: OrderName, _ text: String, _ db: Database) throws -> Bool {
        let column = name.rawValue
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM grants WHERE \(column) = ? AND \(column) <> '' AND erased_owner IS NULL LIMIT 1")
        return try Int.fetchOne(statement, arguments: [text]) != nil
    }

    /// What is known by a name and can be asked about is looked at again now; false if there is nothing to ask.
    @discardableResult
    func wake(_ name: OrderName, _ text: String, _ now: UnixMilliseconds, _ db: Database) throws -> Bool {
        let column = name.rawValue
        try db.cachedStatement(
            sql: """
                UPDATE grants SET due_at = ? WHERE \(column) = ? AND \(column) <> '' AND erased_owner IS NULL
                    AND state IN ('unknown', 'confirmed', 'rejected', 'reversed')
                """
        ).execute(arguments: [now, text])
        return db.changesCount > 0
    }

    func nextDue(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(due_at) FROM grants WHERE due_at IS NOT NULL"))
    }

    /// Grants whose call a program that is gone may have made.
    func interrupted(_ db: Database) throws -> [Grant] {
        try Row.fetchAll(db, sql: "SELECT \(Self.columns) FROM grants WHERE state IN ('sent', 'asked') ORDER BY id")
            .map(Self.grant)
    }

    /// How many grants are in a state that is not final.
    func open(_ db: Database) throws -> [GrantState: Int64] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT state, count(*) FROM grants WHERE state IN ('sent', 'asked', 'unknown', 'pending') GROUP BY state
                """)
        let rows = try Row.fetchAll(statement)
        return Dictionary(uniqueKeysWithValues: rows.map { (GrantState(rawValue: $0[0]) ?? .unknown, $0[1]) })
    }

    /// Takes over a campaign; nil is one that was removed.
    func put(_ document: CampaignDocument?, id: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO campaigns (id, document) VALUES (?, ?)",
            arguments: [id, try document.map { try JSONEncoder().encode($0) }])
    }

    /// The campaigns that came by the lane, removed ones left out; nil if none has ever come.
    func campaigns(_ db: Database) throws -> [CampaignDocument]? {
        let rows = try Row.fetchAll(db, sql: "SELECT document FROM campaigns ORDER BY id")
        guard !rows.isEmpty else { return nil }
        return try rows.compactMap { row in
            try (row[0] as Data?).map { try JSONDecoder().decode(CampaignDocument.self, from: $0) }
        }
    }

    private static func grant(_ row: Row) -> Grant {
        var grant = Grant(
            id: GrantID(stored: row[0]), device: UInt64(bitPattern: row[1] as Int64), campaign: row[2],
            record: RecordIdentifier(bytes: row[3] as Data) ?? RecordIdentifier(high: 0, low: 0),
            receivedAt: row[14], day: row[4], amount: row[5], changedAt: row[11])
        // A state this program does not know may have been paid.
        grant.state = GrantState(rawValue: row[6]) ?? .unknown
        grant.attempts = row[7]
        grant.asks = row[8]
        grant.moves = row[9]
        grant.sentAt = row[10]
        grant.dueAt = row[12]
        grant.reason = row[13]
        grant.failures = row[17]
        grant.lastLostAttempt = row[18]
        grant.paidAttempt = row[19]
        grant.reference = (row[20] as String).isEmpty ? nil : PaymentReference(stored: row[20])
        grant.providerID = row[21]
        grant.suspected = row[22]
        grant.isPlaced = row[23]
        if let owner = row[15] as String?, let id = row[16] as String? {
            grant.erased = ErasedGrant(owner: owner, id: GrantID(stored: id))
        }
        return grant
    }
}
