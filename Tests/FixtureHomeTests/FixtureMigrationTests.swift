import Foundation
import GRDB
import GRDBSQLite
import PipelineTesting
import Storage
import TemporaryFiles
import Testing

/// A home is brought forward while power is cut: nothing is lost, and nothing happens twice.
@Suite struct FixtureMigrationTests {
    /// Of each database at most; `NKUL_CUTS=100000` cuts at every operation.
    private static let cuts = ProcessInfo.processInfo.environment["NKUL_CUTS"].flatMap { Int($0) } ?? 6

    @Test(arguments: FixtureHome.all) func `databases of before come forward through power cuts`(
        _ fixture: FixtureHome
    ) throws {
        let home = try FixtureDatabases(fixture)
        for (place, name) in home.names.enumerated() {
            let migrations = try #require(FixtureDatabases.migrations(of: name))
            try MigrationTrial(path: home.path(name), migrations: migrations).run(most: Self.cuts, seed: UInt64(place))
        }
    }

    /// All migrations there are, from an empty file to today: those that no fixture home has before it, too.
    @Test func `databases come from nothing to this build through power cuts`() throws {
        let home = try FixtureDatabases(#require(FixtureHome.all.last))
        let directory = try TemporaryDirectory(inMemory: true)
        for name in home.names {
            let migrations = try #require(FixtureDatabases.migrations(of: name))
            let cuts = try MigrationTrial(path: directory.path("none.sqlite"), migrations: migrations)
                .run(most: 6, seed: 7)
            #expect(cuts == 6, "\(name)")
        }
    }

    /// Migrations that write much on top of what is there: what a change of formats does, before there is one.
    @Test(arguments: FixtureHome.all) func `a migration that rewrites every row is cut at forty of its operations`(
        _ fixture: FixtureHome
    ) throws {
        let home = try FixtureDatabases(fixture)
        let name = "batch-aggregator/state.sqlite"
        let migrations = try #require(FixtureDatabases.migrations(of: name)) + Self.rewriting
        let cuts = try MigrationTrial(path: home.path(name), migrations: migrations).run(most: 40, seed: 1)
        #expect(cuts == 40)
    }

    @Test func `a migration that commits in its middle is found out`() throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let table = Migration("numbers", sql: "CREATE TABLE numbers (n INTEGER)")
        let careless = Migration("two numbers") { db in
            try db.execute(sql: "INSERT INTO numbers VALUES (1)")
            // Behind GRDB's back, which would see it.
            sqlite3_exec(db.sqliteConnection, "COMMIT; BEGIN IMMEDIATE", nil, nil, nil)
            try db.execute(sql: "INSERT INTO numbers VALUES (2)")
        }
        #expect(throws: SimulationFailure.self) {
            try MigrationTrial(path: directory.path("none.sqlite"), migrations: [table, careless])
                .run(most: 100, seed: 2)
        }
    }

    private static let rewriting = [
        Migration("every row anew") { db in
            for table in try tables(db) {
                try db.execute(sql: "CREATE TABLE \"\(table) anew\" AS SELECT * FROM \"\(table)\"")
            }
        },
        Migration("the old ones go") { db in
            for table in try tables(db) where !table.hasSuffix(" anew") {
                try db.execute(sql: "DELETE FROM \"\(table)\"")
            }
        },
    ]

    /// Tables that are no journal's: that would make a new one, with a random generation.
    private static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            .filter { !$0.hasPrefix("lane_") && !$0.hasPrefix("sqlite_") }
    }
}
