internal import Engagement
internal import GRDB
internal import Models
internal import SubjectRights

/// What the dispatcher holds about a subscriber: the payout number in clear, grants, and what the ledger says of them.
final class RewardCopy: SubjectCopy {
    /// Grants of a page; with more that were received in the same millisecond, those too.
    private static let grantsAtOnce = 100

    private let payouts: PayoutBook?
    private let store = RewardDispatcherStore()

    init(_ payouts: PayoutBook?) { self.payouts = payouts }

    var held: [HeldKind] { HeldKind.rewards }

    private struct NumberLine: Encodable {
        let phone: String
        let `operator`: String
        let since_ms: UnixMilliseconds
    }

    private struct CarriedLine: Encodable {
        let paid_xaf: Int64
    }

    private struct NicknameLine: Encodable {
        let nickname: String
    }

    private struct TraceLine: Encodable {
        let minute, count: Int64
        let at_ms, latitude, longitude: Int64?
    }

    private struct DayLine: Encodable {
        let measure: String
        let day: Int64
        let amount: Int64
    }

    private struct GrantLine: Encodable {
        let grant: String
        let campaign: String
        let record: String
        let amount_xaf: Int64
        let state: String
        let received_at_ms: UnixMilliseconds
        let changed_at_ms: UnixMilliseconds
        let attempts: Int
        let reference: String?
        let provider_id: String?
        let reason: String?
    }

    private struct EntryLine: Encodable {
        let transaction: String
        let line: Int64
        let account: String
        let amount_xaf: Int64
        let side: String
        let at_ms: UnixMilliseconds
    }

    /// After a place, which is when the last grant's feedback was received.
    func page(of device: UInt64, after place: String?, in db: Database) throws -> SubjectPage {
        var lines: [SubjectLine] = []
        if place == nil {
            lines += try [number(of: device, db), carried(by: device, db)].compactMap(\.self)
            if let nickname = try StandingStore().nickname(of: device, db) {
                lines.append(try SubjectLine("nickname", at: nil, NicknameLine(nickname: nickname)))
            }
            lines += try trace(of: device, db)
            lines += try days(of: device, db)
        }
        let (grants, next) = try store.grants(
            of: device, receivedAfter: place.flatMap { Int64($0) } ?? .min, atLeast: Self.grantsAtOnce, db)
        for grant in grants {
            lines.append(try line(grant))
            lines += try entries(of: grant, db)
        }
        return SubjectPage(lines: lines, next: next.map { String($0) })
    }

    private func number(of device: UInt64, _ db: Database) throws -> SubjectLine? {
        guard let number = try payouts?.number(of: device, db),
            let since = try Int64.fetchOne(
                db, sql: "SELECT since FROM payouts WHERE device = ?", arguments: [Int64(bitPattern: device)])
        else { return nil }
        return try SubjectLine(
            "payout_number", at: since,
            NumberLine(phone: number.phone, operator: number.operator, since_ms: since))
    }

    private func carried(by device: UInt64, _ db: Database) throws -> SubjectLine? {
        let paid = try CarriedBalances().paid(device, db)
        return paid == 0 ? nil : try SubjectLine("carried_balance", at: nil, CarriedLine(paid_xaf: paid))
    }

    private func trace(of device: UInt64, _ db: Database) throws -> [SubjectLine] {
        guard let trace = try SuspicionBook.known(of: device, db) else { return [] }
        let line = TraceLine(
            minute: trace.minute, count: trace.count, at_ms: trace.place?.at, latitude: trace.place?.latitude,
            longitude: trace.place?.longitude)
        return [try SubjectLine("capture_trace", at: nil, line)]
    }

    private func days(of device: UInt64, _ db: Database) throws -> [SubjectLine] {
        try EngagementStore().tallies(of: device, db).sorted { $0.key < $1.key }.flatMap { measure, tallies in
            try tallies.days.map {
                try SubjectLine(
                    "contributions_of_day", at: nil, DayLine(measure: measure, day: $0.day, amount: $0.amount))
            }
        }
    }

    private func line(_ grant: Grant) throws -> SubjectLine {
        try SubjectLine(
            "grant", at: grant.receivedAt,
            GrantLine(
                grant: grant.id.text, campaign: grant.campaign, record: grant.record.text, amount_xaf: grant.amount,
                state: grant.state.rawValue, received_at_ms: grant.receivedAt, changed_at_ms: grant.changedAt,
                attempts: grant.attempts, reference: grant.reference?.text,
                provider_id: grant.providerID.isEmpty ? nil : grant.providerID,
                reason: grant.reason.isEmpty ? nil : grant.reason))
    }

    private func entries(of grant: Grant, _ db: Database) throws -> [SubjectLine] {
        let statement = try db.cachedStatement(
            sql: "SELECT line, account, amount, sign, at FROM ledger_entries WHERE transaction_id = ? ORDER BY line")
        return try stride(from: 1, through: grant.moves, by: 1).flatMap { move in
            let name = LedgerTransaction.name(of: move, of: grant.id)
            return try Row.fetchAll(statement, arguments: [name]).map { row in
                let line = EntryLine(
                    transaction: name, line: row[0], account: row[1], amount_xaf: row[2],
                    side: (row[3] as Int64) == LedgerEntry.Side.debit.rawValue ? "debit" : "credit", at_ms: row[4])
                return try SubjectLine("ledger_entry", at: line.at_ms, line)
            }
        }
    }
}

extension RewardDispatcherStore {
    /// Grants of a device in the order in which their feedback was received.
    ///
    /// - Parameter count: how many, and all others of the last one's millisecond.
    /// - Returns: the grants, and after which time there are more; nil if there are none.
    func grants(
        of device: UInt64, receivedAfter time: UnixMilliseconds, atLeast count: Int, _ db: Database
    ) throws -> (grants: [Grant], next: UnixMilliseconds?) {
        let device = Int64(bitPattern: device)
        let times = try UnixMilliseconds.fetchAll(
            db.cachedStatement(
                sql: "SELECT received_at FROM grants WHERE device = ? AND received_at > ? ORDER BY received_at LIMIT ?"),
            arguments: [device, time, count])
        guard let last = times.last else { return ([], nil) }
        let ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM grants WHERE device = ? AND received_at > ? AND received_at <= ? ORDER BY received_at, id
                    """), arguments: [device, time, last])
        return (try ids.compactMap { try grant(GrantID(stored: $0), db) }, times.count < count ? nil : last)
    }
}
