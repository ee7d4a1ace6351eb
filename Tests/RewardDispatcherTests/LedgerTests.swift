import GRDB
import Models
import QoE
import Storage
import Testing

@testable import RewardDispatcher

struct LedgerTests {
    private let budget = LedgerAccount(.budget, owner: "c"), owed = LedgerAccount(.owed, owner: "1")
    private let ledger = Ledger()

    private func database() throws -> ServiceDatabase {
        try ServiceDatabase(path: ":memory:", migrations: RewardDispatcherEffects.migrations)
    }

    private func transaction(_ id: String, _ amount: Int64 = 50) throws -> LedgerTransaction {
        try LedgerTransaction(
            id: id, at: 1, entries: [LedgerEntry(.credit, amount, budget), LedgerEntry(.debit, amount, owed)])
    }

    @Test func `what does not balance is no transaction`() {
        #expect(throws: LedgerError.unbalanced(transaction: "x", by: -1)) {
            try LedgerTransaction(
                id: "x", at: 1, entries: [LedgerEntry(.credit, 50, budget), LedgerEntry(.debit, 49, owed)])
        }
        #expect(throws: LedgerError.notPositive(transaction: "x")) {
            try LedgerTransaction(
                id: "x", at: 1, entries: [LedgerEntry(.credit, 0, budget), LedgerEntry(.debit, 0, owed)])
        }
        #expect(throws: LedgerError.self) { try LedgerTransaction(id: "x", at: 1, entries: []) }
    }

    @Test func `balances are sums of entries, and all accounts add up to nothing`() throws {
        let database = try database()
        try database.write { db in
            try ledger.book(transaction("a"), db)
            try ledger.book(transaction("b", 25), db)
            #expect(try ledger.balance(owed, db) == 75)
            #expect(try ledger.balance(budget, db) == -75)
            try ledger.check(db)
        }
    }

    @Test(arguments: [
        "UPDATE ledger_entries SET amount = 1", "DELETE FROM ledger_entries",
        "UPDATE ledger_entries SET owner = '2' WHERE line = 1",
    ])
    func `an entry never changes and never goes`(sql: String) throws {
        let database = try database()
        try database.write { try ledger.book(transaction("a"), $0) }
        #expect(throws: StorageError.self) { try database.write { try $0.execute(sql: sql) } }
        #expect(try database.write { try ledger.balance(owed, $0) } == 50)
    }

    @Test func `a transaction is booked once`() throws {
        let database = try database()
        try database.write { try ledger.book(transaction("a"), $0) }
        #expect(throws: StorageError.self) { try database.write { try ledger.book(transaction("a"), $0) } }
        #expect(try database.write { try ledger.balance(owed, $0) } == 50)
    }

    @Test func `a ledger that somebody wrote into is found out at the start`() throws {
        let database = try database()
        try database.write { db in
            try db.execute(
                sql: "INSERT INTO ledger_entries VALUES ('forged', 0, 'owed', '1', 50, 1, 0)")
        }
        let settings = RewardSettings(
            builtIn: nil, schedule: RewardBench.schedule, callsAtOnce: 1, timeZone: "Africa/Douala")
        #expect(throws: LedgerError.unbalanced(transaction: "forged", by: 50)) {
            _ = try RewardDispatcherEffects(
                .qoe, database: database, settings: settings, uptime: { 0 }, carryOut: { _ in })
        }
    }
}
