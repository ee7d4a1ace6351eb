internal import Foundation
internal import GRDB
internal import IngestSupport
internal import Models

/// The rewards that one transaction of the copy changes; ``save()`` ends it.
///
/// Of each device the newest `mostGrants` are kept. What is dropped stays counted, and is not counted again should it
/// change once more: what is older than the newest that was dropped was there before. (So a feedback that is granted for the
/// first time after `mostGrants` later ones of its device counts for nothing here.)
struct RewardCopies {
    private let db: Database
    private let mostGrants: Int64
    private let zone: TimeZone
    private var subscribers: [UInt64: Subscriber] = [:]

    init(_ db: Database, mostGrants: Int64, zone: TimeZone) {
        self.db = db
        self.mostGrants = mostGrants
        self.zone = zone
    }

    /// Takes over a grant as it is now.
    mutating func put(_ grant: GrantDocument) throws {
        let update = try db.cachedStatement(sql: "UPDATE grants SET state = ?, changed_at = ?, amount = ? WHERE id = ?")
        try update.execute(arguments: [grant.state.rawValue, grant.changedAt, grant.amountXAF, grant.grant])
        guard db.changesCount == 0 else { return }
        let position = PagePosition(time: grant.receivedAt ?? grant.changedAt, name: grant.grant)
        var subscriber = try subscriber(grant.device)
        if let dropped = subscriber.dropped, position <= dropped { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO grants (id, device, campaign, record, amount, state, received_at, changed_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            grant.grant, Int64(bitPattern: grant.device), grant.campaign, grant.record, grant.amountXAF,
            grant.state.rawValue, position.time, grant.changedAt,
        ])
        subscriber.granted += 1
        subscriber.kept += 1
        subscriber.days.insert(CivilDay.number(of: position.time, in: zone))
        subscribers[grant.device] = subscriber
    }

    mutating func put(_ balance: BalanceDocument) throws {
        var subscriber = try subscriber(balance.device)
        subscriber.paid = balance.paidXAF
        subscriber.pending = balance.pendingXAF
        subscribers[balance.device] = subscriber
    }

    /// The dispatcher has removed a grant: it is not shown any more; what it counted for stays.
    mutating func remove(grant id: String) throws {
        let device = try Int64.fetchOne(db, sql: "SELECT device FROM grants WHERE id = ?", arguments: [id])
        guard let device = device.map(UInt64.init(bitPattern:)) else { return }
        try db.execute(sql: "DELETE FROM grants WHERE id = ?", arguments: [id])
        var subscriber = try subscriber(device)
        subscriber.kept -= 1
        subscribers[device] = subscriber
    }

    /// The dispatcher has removed a device's balance, and with it all there is to tell of the device.
    mutating func remove(device: UInt64) throws {
        subscribers[device] = nil
        for table in ["grants", "subscribers"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE device = ?", arguments: [Int64(bitPattern: device)])
        }
    }

    /// Drops what is too much of each device that changed, and puts down the rest.
    mutating func save() throws {
        for (device, var subscriber) in subscribers.sorted(by: { $0.key < $1.key }) {
            try drop(&subscriber, Int64(bitPattern: device))
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO subscribers (device, paid, pending, granted, kept, best, days, dropped)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                Int64(bitPattern: device), subscriber.paid, subscriber.pending, subscriber.granted, subscriber.kept,
                subscriber.days.best, Data(subscriber.days.encoded), subscriber.dropped?.text,
            ])
        }
        subscribers = [:]
    }

    private func drop(_ subscriber: inout Subscriber, _ device: Int64) throws {
        let excess = subscriber.kept - mostGrants
        guard excess > 0 else { return }
        let last = try Row.fetchOne(
            db,
            sql: "SELECT received_at, id FROM grants WHERE device = ? ORDER BY received_at, id LIMIT 1 OFFSET ?",
            arguments: [device, excess - 1])
        guard let last else { return }
        let position = PagePosition(time: last[0], name: last[1])
        try db.execute(
            sql: "DELETE FROM grants WHERE device = ? AND (received_at, id) <= (?, ?)",
            arguments: [device, position.time, position.name])
        subscriber.kept = mostGrants
        subscriber.dropped = position
    }

    private func subscriber(_ device: UInt64) throws -> Subscriber {
        try subscribers[device] ?? Subscriber.stored(Int64(bitPattern: device), db) ?? Subscriber()
    }
}

extension Subscriber {
    /// What is kept of a device, nil if nothing is.
    static func stored(_ device: Int64, _ db: Database) throws -> Subscriber? {
        let statement = try db.cachedStatement(
            sql: "SELECT paid, pending, granted, kept, best, days, dropped FROM subscribers WHERE device = ?")
        return try Row.fetchOne(statement, arguments: [device]).map { row in
            Subscriber(
                paid: row[0], pending: row[1], granted: row[2], kept: row[3],
                days: try RewardedDays(row[5] as Data, best: row[4]),
                dropped: (row[6] as String?).flatMap { PagePosition(text: $0, digits: RewardsAnswer.grantDigits) })
        }
    }
}
