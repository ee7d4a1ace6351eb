import GRDB
import GRDBSQLite
import TemporaryFiles
import Testing

@testable import Storage

/// Checkpoints that others break off because they need the database; ``LogPinTests`` has them beside power cuts.
@Suite struct CheckpointBreakTests {
    let directory: TemporaryDirectory
    let database: ServiceDatabase

    init() throws {
        directory = try TemporaryDirectory()
        let table = Migration("notes", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        database = try ServiceDatabase(
            path: directory.path("a.sqlite"), migrations: [table],
            options: DatabaseOptions(checkpointPages: 500, defersCheckpoints: true))
    }

    /// A thousand pages.
    private func insert(_ id: Int) throws {
        try database.write { try $0.execute(sql: "INSERT INTO notes VALUES (\(id), zeroblob(4000000))") }
    }

    @Test func `a checkpoint that is broken off stays due and the third is not`() throws {
        let breaker = CheckpointBreaker(database)
        defer { breaker.stop() }
        // Whether the breaker gets a core while a checkpoint runs is the machine's to say.
        var inARow = 0, most = 0
        for id in 0..<200 where most < 2 {
            try insert(id)
            while database.unwrittenLogBytes > 0 {
                try database.checkpointIfDue()
                inARow = database.unwrittenLogBytes > 0 ? inARow + 1 : 0
                most = max(most, inARow)
                try #require(inARow <= 2)
            }
        }
        #expect(most == 2)
        #expect(try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func `only a checkpoint is broken off`() throws {
        let cut = CheckpointBreak()
        try insert(0)
        let count = try database.queue.inDatabase { db -> Int? in
            let connection = db.sqliteConnection!
            func checkpoint() -> Int32 {
                sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            }
            let early = cut.during(connection) {
                cut.cut()
                return checkpoint()
            }
            #expect(early == SQLITE_INTERRUPT)
            // Too late for the checkpoint, it must not meet the next.
            #expect(
                cut.during(
                    connection,
                    {
                        defer { cut.cut() }; return SQLITE_OK
                    }) == SQLITE_OK)
            cut.cut()
            #expect(checkpoint() == SQLITE_OK)
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM notes")
        }
        #expect(count == 1)
        try insert(1)
    }
}
