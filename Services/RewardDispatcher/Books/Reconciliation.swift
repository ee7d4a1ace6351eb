internal import GRDB
internal import Models

/// What a provider's statement says, beside what the books say. Changes nothing.
struct Reconciliation: Sendable, Encodable {
    /// Payments that the statement lacks are named up to so many.
    private static let mostNamed = 100

    /// Rows of the statement that agree with the books.
    var matched = 0
    /// Rows that do not, or cannot be read.
    var problems = RowProblems()
    /// What the statement says was paid and not taken back, whole XAF.
    var statementPaidXAF: Int64 = 0
    /// Payments of the period that the books have and the statement has not.
    var missing = 0
    /// The first of them, by their references.
    var missingReferences: [String] = []
    /// About which the provider is to be asked.
    var doubtful: [PaymentReference] = []

    enum CodingKeys: String, CodingKey {
        case matched, problems, missing
        case problemCount = "problem_count"
        case statementPaidXAF = "statement_paid_xaf"
        case missingReferences = "missing_references"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(matched, forKey: .matched)
        try container.encode(problems.count, forKey: .problemCount)
        try container.encode(problems.named, forKey: .problems)
        try container.encode(statementPaidXAF, forKey: .statementPaidXAF)
        try container.encode(missing, forKey: .missing)
        try container.encode(missingReferences, forKey: .missingReferences)
    }

    /// - Parameters:
    ///   - statement: every attempt that the provider knows, with its result.
    ///   - period: of when orders were given; what the books paid in it the statement must have. Nil does not look.
    init(_ statement: ResultFile, period: Range<UnixMilliseconds>?, _ db: Database) throws {
        problems = statement.problems
        let earlier = try Self.earlierAttempts(db), store = RewardDispatcherStore()
        var seen: Set<PaymentReference> = []
        for row in statement.rows {
            if row.result == .paid { statementPaidXAF += row.amount ?? 0 }
            guard seen.insert(row.reference).inserted else {
                note(row, "comes a second time")
                continue
            }
            let attempt = try store.attempt(row.reference, db) ?? earlier[row.reference]
            guard let attempt else {
                note(row, "is nobody's payment here, or that of a subscriber who was erased")
                continue
            }
            compare(row, attempt)
        }
        if let period { try lookForMissing(seen, period, db) }
    }

    private mutating func compare(_ row: ResultFile.Row, _ attempt: BookedAttempt) {
        if let amount = row.amount, amount != attempt.amount {
            note(row, "has \(amount) XAF, the books \(attempt.amount)")
        } else if attempt.agrees(with: row.result) {
            matched += 1
        } else {
            note(row, "is \(row.result.rawValue), in the books \(attempt.word)")
            doubtful.append(row.reference)
        }
    }

    private mutating func note(_ row: ResultFile.Row, _ what: String) {
        problems.add(row.line, "\(row.reference.text) \(what)")
    }

    private mutating func lookForMissing(
        _ seen: Set<PaymentReference>, _ period: Range<UnixMilliseconds>, _ db: Database
    ) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT reference FROM grants WHERE state = 'confirmed' AND sent_at >= ? AND sent_at < ? AND reference <> ''
                    AND paid_attempt = attempts ORDER BY reference
                """, arguments: [period.lowerBound, period.upperBound])
        while let row = try rows.next() {
            let reference = PaymentReference(stored: row[0])
            guard !seen.contains(reference) else { continue }
            missing += 1
            if missingReferences.count < Self.mostNamed { missingReferences.append(reference.text) }
            doubtful.append(reference)
        }
    }

    /// Attempts before the present ones, by their references; few grants have any.
    private static func earlierAttempts(_ db: Database) throws -> [PaymentReference: BookedAttempt] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, attempts, paid_attempt, amount FROM grants WHERE attempts > 1 AND reference <> ''")
        return rows.reduce(into: [:]) { found, row in
            let paid: Int = row[2]
            for attempt in 1..<(row[1] as Int) {
                found[PaymentReference(GrantID(stored: row[0]), attempt: attempt)] = BookedAttempt(
                    amount: row[3], word: attempt == paid ? "paid" : "failed")
            }
        }
    }
}

/// What the books say of one attempt to pay.
struct BookedAttempt: Sendable, Equatable {
    /// Whole XAF.
    let amount: Int64
    /// `paid`, `failed`, `reversed`, or `open`.
    let word: String

    func agrees(with result: ResultFile.Result) -> Bool {
        switch result {
        case .paid: word == "paid"
        case .reversed: word == "reversed"
        case .failed, .rejected: word == "failed"
        }
    }
}

extension RewardDispatcherStore {
    /// What is known of the present attempt with a reference; nil if none has it.
    func attempt(_ reference: PaymentReference, _ db: Database) throws -> BookedAttempt? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT amount, state, attempts = paid_attempt FROM grants WHERE reference = ? AND reference <> ''
                    """), arguments: [reference.text])
        return row.map { row in
            let word =
                switch GrantState(rawValue: row[1]) {
                case .confirmed: row[2] as Bool ? "paid" : "failed"
                case .reversed: row[2] as Bool ? "reversed" : "failed"
                case .rejected, .pending: "failed"
                case .sent, .unknown, .asked, nil: "open"
                }
            return BookedAttempt(amount: row[0], word: word)
        }
    }
}

/// What is in all accounts of each kind, and whether it adds up.
struct TrialBalance: Sendable, Encodable, Equatable {
    /// Whole XAF, by the kind of account.
    let accounts: [String: Int64]
    /// The sum of all, always 0 in sound books.
    let sum: Int64
    /// Grants by state.
    let grants: [String: Int64]

    init(_ db: Database) throws {
        let ledger = Ledger()
        accounts = Dictionary(
            uniqueKeysWithValues: try LedgerAccount.Kind.allCases.map { ($0.rawValue, try ledger.total($0, db)) })
        sum = accounts.values.reduce(0, +)
        grants = try Row.fetchAll(db, sql: "SELECT state, count(*) FROM grants GROUP BY state")
            .reduce(into: [:]) { $0[$1[0]] = $1[1] as Int64 }
    }
}
