internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import PowerCut
public import Storage
internal import TemporaryFiles

/// Brings a copy of a database forward while power is cut, at one write or sync after the other: whatever is cut off goes on
/// where it was when the file is opened again, and in the end the database is that of a migration which nobody disturbed.
///
/// Covers the migrations that the file has not had yet, the tables of journals, which are brought forward when a journal is opened,
/// and the checkpoint when it is closed. Confined to the caller's thread.
public struct MigrationTrial {
    /// What is tried. The file and its write-ahead log are copied, never changed.
    public let path: String
    public let migrations: [Migration]

    public init(path: String, migrations: [Migration]) {
        self.path = path
        self.migrations = migrations
    }

    /// What a database holds: its schema and every row of every table, a line each.
    typealias Content = [String]

    /// Cuts power at every operation that changes a file, or at a sample of them.
    ///
    /// - Parameters:
    ///   - most: lives that end by a cut; if the migration has more operations, so many are drawn.
    ///   - seed: what is drawn, and what a cut leaves of what was not synced.
    /// - Returns: how often power was cut.
    /// - Throws: ``SimulationFailure`` naming the operation, if a database is damaged or differs in the end.
    @discardableResult
    public func run(most: Int, seed: UInt64) throws -> Int {
        let whole = try Life(self)
        let expected = try whole.finish()
        var random = SeededRandom(seed: seed)
        var points = Array(0..<whole.disk.operations)
        if points.count > most { points = Array(points.shuffled(using: &random).prefix(most)).sorted() }
        for point in points { try cut(at: point, expected, &random) }
        return points.count
    }

    /// One life that ends at an operation, in a third of the cases a second one soon after, and one that comes to its end.
    private func cut(at point: Int, _ expected: Content, _ random: inout SeededRandom) throws {
        let life = try Life(self)
        for stop in [point] + (random.chance(333) ? [random.below(point + 1)] : []) {
            life.disk.stop(after: stop)
            do { _ = try life.finish() } catch is StorageError {} catch is DatabaseError {}
            life.disk.cut(seed: random.next())
        }
        let found: Content
        do { found = try life.finish() } catch {
            throw SimulationFailure("\(path), cut at operation \(point), does not open any more: \(error)")
        }
        guard found != expected else { return }
        let difference = TextDifference.first(found.joined(separator: "\n"), expected.joined(separator: "\n"))
        throw SimulationFailure("\(path), cut at operation \(point): \(difference)")
    }

    /// A copy of the database on a disk that can lose power.
    private struct Life {
        private let trial: MigrationTrial
        private let directory: TemporaryDirectory
        private let file: String
        let disk: PowerCutDisk

        init(_ trial: MigrationTrial) throws {
            self.trial = trial
            directory = try TemporaryDirectory(inMemory: true)
            file = directory.path("copy.sqlite")
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: trial.path + suffix) {
                try FileManager.default.copyItem(atPath: trial.path + suffix, toPath: file + suffix)
            }
            disk = PowerCutDisk(directory: directory.path)
        }

        /// Opens the database, which migrates it, and its journals; reads all of it and closes it.
        func finish() throws -> Content {
            let database = try ServiceDatabase(
                path: file, migrations: trial.migrations, options: DatabaseOptions(vfs: PowerCutDisk.vfs))
            let lanes = try database.read { db in
                try LaneName.allCases.filter { try db.tableExists("lane_\($0.rawValue)_state") }
            }
            for lane in lanes { _ = try Journal(lane: lane, in: database) }
            let content = try database.read { try MigrationTrial.content($0) }
            try database.close()
            return content
        }
    }

    private static func content(_ db: Database) throws -> Content {
        var lines = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        lines += try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        lines.append("version \(try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0)")
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        for table in tables {
            let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \"\(table)\"")
            while let row = try rows.next() {
                lines.append(table + row.databaseValues.map { " \($0)" }.joined())
            }
        }
        return lines
    }
}
