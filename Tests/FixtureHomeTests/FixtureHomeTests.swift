import BatchAggregator
import Foundation
import GRDB
import PipelineTesting
import QoE
import Storage
import Testing

/// Homes of released versions are opened by this build, and say what they said. What services answer over HTTP is compared in
/// `FixtureHomeEndToEndTests`.
@Suite struct FixtureHomeTests {
    @Test func `there is a fixture home`() { #expect(!FixtureHome.all.isEmpty) }

    @Test(arguments: FixtureHome.all) func `every database opens, comes forward and is sound`(
        _ fixture: FixtureHome
    ) throws {
        let home = try FixtureDatabases(fixture)
        #expect(home.names.count >= 12)
        for name in home.names {
            let migrations = try #require(FixtureDatabases.migrations(of: name), "nothing opens \(name)")
            let database = try home.open(name)
            let (check, version) = try database.read { db in
                (
                    try String.fetchAll(db, sql: "PRAGMA integrity_check"),
                    try Int.fetchOne(db, sql: "PRAGMA user_version")
                )
            }
            #expect(check == ["ok"] && version == migrations.count, "\(name): \(check), schema \(version ?? 0)")
            try database.close()
        }
    }

    @Test(arguments: FixtureHome.all) func `its statistics are those that its version dumped, mapped to this build`(
        _ fixture: FixtureHome
    ) throws {
        let home = try FixtureDatabases(fixture)
        for name in home.names where name.hasPrefix("batch-aggregator/") { try home.open(name).close() }
        var bytes: [UInt8] = []
        try CellDump.write(
            .qoe, ReadOnlyDatabase(path: home.path("batch-aggregator/state.sqlite")),
            openDirectory: home.path("batch-aggregator/open"),
            timeZone: try #require(TimeZone(identifier: "Africa/Douala"))
        ) { bytes += $0 }
        let dump = String(decoding: bytes, as: UTF8.self)
        let expected = DumpMapping.text(try fixture.text("dump.txt"), of: fixture.name)
        let isEqual = dump == expected
        #expect(isEqual, "\(TextDifference.first(dump, expected))")
        #expect(expected.utf8.count > 10_000)
    }

    @Test(arguments: FixtureHome.all) func `the ledger and the grants are the same`(_ fixture: FixtureHome) throws {
        let home = try FixtureDatabases(fixture)
        let books = try home.open("reward-dispatcher/state.sqlite")
        let (accounts, grants) = try books.read { db in
            (
                try Row.fetchAll(db, sql: "SELECT account, sum(sign * amount) FROM ledger_entries GROUP BY account"),
                try Row.fetchAll(db, sql: "SELECT state, count(*), sum(amount) FROM grants GROUP BY state")
            )
        }
        let found: [String: Any] = [
            "accounts": accounts.reduce(into: [String: Any]()) { $0[$1[0]] = $1[1] as Int },
            "grants": grants.reduce(into: [String: Any]()) { $0[$1[0]] = [$1[1] as Int, $1[2] as Int] },
        ]
        let expected = try fixture.document("ledger")
        #expect(DocumentDifference.first(found, expected) == nil && DocumentDifference.first(expected, found) == nil)
    }

    @Test(arguments: FixtureHome.all) func `lanes end and readers stand where they did`(_ fixture: FixtureHome) throws {
        let home = try FixtureDatabases(fixture)
        var lanes: [String: Any] = [:], readers: [String: Any] = [:]
        for name in home.names where !name.contains("/raw/") && !name.contains("/open/") {
            try home.open(name).read { db in
                for table in try String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_master WHERE name LIKE 'lane~_%~_state' ESCAPE '~'")
                {
                    let row = try #require(try Row.fetchOne(db, sql: "SELECT generation, head FROM \(table)"))
                    lanes[String(table.dropFirst("lane_".count).dropLast("_state".count))] = [
                        row[0] as Int, row[1] as Int,
                    ]
                }
                guard try db.tableExists("cursors") else { return }
                readers[String(name.prefix { $0 != "/" })] = try Row.fetchAll(db, sql: "SELECT * FROM cursors")
                    .reduce(into: [String: Any]()) { $0[$1[0]] = [$1[1] as Int, $1[2] as Int] }
            }
        }
        let difference = DocumentDifference.first(
            ["lanes": lanes, "readers": readers], try fixture.document("positions"))
        #expect(difference == nil)
    }
}
