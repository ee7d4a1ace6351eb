import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing

/// Declarations of tables: what they say is done, and what they leave out is told.
@Suite struct DeclaredRecordsTests {
    private let database: ServiceDatabase

    init() throws {
        database = try ServiceDatabase(
            path: ":memory:",
            migrations: [
                Migration(
                    "tables",
                    sql: """
                        CREATE TABLE numbers (device INTEGER PRIMARY KEY, number TEXT);
                        CREATE TABLE seen (device INTEGER, at INTEGER, name TEXT, alarm TEXT, PRIMARY KEY (device, at, name))
                            WITHOUT ROWID;
                        CREATE TABLE ledger (number INTEGER PRIMARY KEY, device INTEGER);
                        CREATE TABLE unlocked (device INTEGER PRIMARY KEY);
                        CREATE TRIGGER kept BEFORE DELETE ON ledger WHEN OLD.device NOT IN (SELECT device FROM unlocked)
                            BEGIN SELECT RAISE(ABORT, 'kept'); END;
                        CREATE TABLE names (device INTEGER PRIMARY KEY, name BLOB);
                        CREATE TABLE prices (price INTEGER);
                        """)
            ])
        try database.write { db in
            for device in [1, 2] {
                try db.execute(sql: "INSERT INTO numbers VALUES (?, 'x')", arguments: [device])
                try db.execute(sql: "INSERT INTO names VALUES (?, x'0102')", arguments: [device])
                for at in [10, 20, 30].map({ $0 * 300_000 }) {
                    try db.execute(sql: "INSERT INTO seen VALUES (?, ?, 'a', 'b')", arguments: [device, at])
                    try db.execute(sql: "INSERT INTO ledger (device) VALUES (?)", arguments: [device])
                }
            }
        }
    }

    private static func rows(
        of owner: String? = "device", _ erased: PersonalRows.Erasure, scope: PersonalRows.Scope? = nil
    ) -> PersonalRows {
        PersonalRows(of: owner, scope: scope, erased: erased, copied: .none("a test"), kept: .asLongAs("the test"))
    }

    private let tables: [HeldTable] = [
        .personal("numbers", rows(.deleted(PersonalRows.Deletion(overwriting: "number = ''")))),
        .personal(
            "seen", rows(.deleted(), scope: PersonalRows.Scope(time: "at", placeOfAlarm: "alarm", key: ["at", "name"]))),
        .personal("ledger", rows(.deleted(PersonalRows.Deletion(unlockedBy: "unlocked", atOnce: 2)))),
        .personal("names", rows(.emptied("name = zeroblob(length(name))"))),
        .free("prices", "nobody"), .free("unlocked", "a lock"),
    ]

    private func erase(_ scope: ErasureScope) throws -> ErasureSlice {
        let subject = ErasureSubject(
            device: 1, document: ErasureSubjectDocument(request: "r", subject: "ab", scope: scope, barriers: []))
        return try database.write { db in
            var transaction = EffectTransaction(db, now: 0)
            return try DeclaredRecords(tables).erase([subject], in: &transaction)
        }
    }

    private func count(_ condition: String) throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(condition)") ?? 0 }
    }

    @Test func `everything of a device goes slice by slice, what is locked too, and nothing of another's`() throws {
        let first = try erase(.everything)
        #expect(!first.isDone && first.removed[1] == 6)
        let second = try erase(.everything)
        #expect(second.isDone && second.removed[1] == 1)
        for table in ["numbers", "seen", "ledger"] { #expect(try count("\(table) WHERE device = 1") == 0) }
        #expect(try count("names WHERE device = 1 AND name = x'0000'") == 1)
        #expect(try count("numbers") == 1 && count("seen") == 3 && count("ledger") == 3 && count("unlocked") == 0)
        #expect(try count("names WHERE name = x'0102'") == 1)
    }

    @Test func `of a part of a time only rows with a time go`() throws {
        let slice = try erase(ErasureScope(from: 6_000_000, to: 9_000_000, cells: nil, requestedAt: 30_000_000))
        #expect(slice.isDone && slice.removed[1] == 1)
        #expect(try count("seen WHERE device = 1 AND at IN (3000000, 9000000)") == 2 && count("seen") == 5)
        #expect(try count("numbers") == 2 && count("ledger") == 6)
    }

    @Test func `tables that are not declared, or not as they are, are told`() throws {
        #expect(try database.read { try tables.faults(in: $0) } == [])
        let wrong: [HeldTable] =
            tables.dropFirst() + [.free("gone", "nobody"), .personal("prices", Self.rows(of: "buyer", .deleted()))]
        #expect(
            try database.read { try wrong.faults(in: $0) } == [
                "table numbers is not declared", "table gone is declared and not there",
                "table prices has no column buyer",
            ])
    }

    @Test func `tables that the engine has in every database need no declaration, lanes by their pattern`() throws {
        _ = try Journal(lane: .alerts, in: database)
        _ = try SubjectExecutor(
            SubjectDeclaration(service: "sample", on: .alerts, reads: [], records: DeclaredRecords(tables)),
            database: database, journals: [Journal(lane: .alerts, in: database)],
            key: ReceiptKey(secret: [UInt8](repeating: 3, count: 32), service: "sample"))
        #expect(try database.read { try tables.faults(in: $0) } == [])
        try database.write { try $0.execute(sql: "CREATE TABLE lane_alerts_people (name TEXT)") }
        #expect(try database.read { try tables.faults(in: $0) } == ["table lane_alerts_people is not declared"])
    }
}
