import Storage
import SubjectRights
import Testing

@testable import RewardDispatcher

/// Every table of every database is declared: personal, or free of persons.
@Suite struct HeldTablesTests {
    @Test func `what the dispatcher has in its tables is declared, and what it gives`() throws {
        let bench = try RewardBench(), tables = RewardDispatcherEffects.tables
        let faults = try bench.database.read { try tables.faults(in: $0) }
        #expect(faults == [])
        #expect(tables.lines == Set(RewardCopy(nil).held.map(\.kind)))
    }

    @Test func `what the books of payout files have is declared`() throws {
        let books = try ServiceDatabase(path: ":memory:", migrations: PayoutFileStore.migrations)
        let faults = try books.read { try RewardDispatcherEffects.payoutFileTables.faults(in: $0) }
        #expect(faults == [])
    }

    @Test func `what the sandbox has in its books is declared`() throws {
        let books = try ServiceDatabase(path: ":memory:", migrations: SandboxProvider.migrations)
        let faults = try books.read { try RewardDispatcherEffects.booksTables.faults(in: $0) }
        #expect(faults == [])
    }
}
