internal import GRDB
internal import Storage

/// What the sandbox remembers, in a file of its own: it is another company, and does not forget when the dispatcher dies.
///
/// `payouts` counts how often money left for a reference. It does not refuse the second time, as some providers would, so
/// that a dispatcher that pays twice is found out.
struct SandboxStore {
    static let migrations = [
        Migration(
            "payments",
            sql: """
                CREATE TABLE payments (
                    reference TEXT NOT NULL PRIMARY KEY, device INTEGER NOT NULL, amount INTEGER NOT NULL,
                    pays INTEGER NOT NULL DEFAULT 0, asks INTEGER NOT NULL DEFAULT 0, payouts INTEGER NOT NULL DEFAULT 0,
                    is_rejected INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
                """),
        // The file is in the home, and whom a payment was for is nobody's business but the number's.
        Migration("no device in the books", sql: "ALTER TABLE payments DROP COLUMN device"),
    ]

    let database: ServiceDatabase
    let script: SandboxScript

    /// Takes an order to pay: decides, remembers.
    func pay(_ call: ProviderCall) throws -> (fate: SandboxFate.Payment, delay: Int64) {
        try database.write { db in
            let number = try count("pays", call, db)
            var fate = SandboxFate(script, reference: call.reference.text, purpose: .pay, number: number)
            let payment = fate.payment()
            switch payment {
            case .paid, .paidInSilence: _ = try count("payouts", call, db)
            case .rejected: _ = try count("is_rejected", call, db)
            case .lostInSilence, .failed: break
            }
            return (payment, fate.delay())
        }
    }

    /// Takes a question: what is known of the reference, and whether it is answered.
    func ask(_ call: ProviderCall) throws -> (fate: SandboxFate.Question, known: ProviderAnswer, delay: Int64) {
        try database.write { db in
            let number = try ask(call, db)
            var fate = SandboxFate(script, reference: call.reference.text, purpose: .ask, number: number)
            return (fate.question(), try known(call.reference.text, db), fate.delay())
        }
    }

    /// Puts other references in the place of settled ones.
    func replace(_ references: [ReplacedReference]) throws {
        try database.write { db in
            let rename = try db.cachedStatement(sql: "UPDATE payments SET reference = ? WHERE reference = ?")
            for one in references.flatMap(\.payments) {
                try rename.execute(arguments: [one.replacement.text, one.reference.text])
            }
            try ServiceDatabase.rewrite(tables: ["payments"], db)
        }
    }

    /// Which question about a reference it is. One that it has never heard of, or not any more, is not put down.
    private func ask(_ call: ProviderCall, _ db: Database) throws -> Int64 {
        let asks = try Int64.fetchOne(
            db, sql: "UPDATE payments SET asks = asks + 1 WHERE reference = ? RETURNING asks",
            arguments: [call.reference.text])
        return asks ?? Int64(call.ask)
    }

    private func known(_ reference: String, _ db: Database) throws -> ProviderAnswer {
        let row = try Row.fetchOne(
            db, sql: "SELECT payouts, is_rejected FROM payments WHERE reference = ?", arguments: [reference])
        guard let row else { return .notFound }
        if row[0] as Int64 > 0 { return .confirmed("sandbox-\(reference)") }
        return row[1] as Int64 > 0 ? .rejected("rejected by the sandbox") : .notFound
    }

    /// Adds one to a column of the reference's row; gives back what it is then.
    private func count(_ column: String, _ call: ProviderCall, _ db: Database) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO payments (reference, amount, \(column)) VALUES (?, ?, 1)
                ON CONFLICT (reference) DO UPDATE SET \(column) = \(column) + 1
                """, arguments: [call.reference.text, call.amount])
        return try Int64.fetchOne(
            db, sql: "SELECT \(column) FROM payments WHERE reference = ?", arguments: [call.reference.text]) ?? 1
    }
}
