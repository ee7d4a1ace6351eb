import GRDB
import PowerCut
import Storage
import TemporaryFiles
import Testing

/// The shim itself: what was synced survives every cut, and what was not is really lost, so that a test with it can fail.
@Suite struct PowerCutTests {
    let table = Migration("numbers", sql: "CREATE TABLE numbers (n INTEGER PRIMARY KEY)")

    @Test(arguments: [false, true]) func `every commit survives every cut`(defersCheckpoints: Bool) throws {
        var options = options
        options.defersCheckpoints = defersCheckpoints
        options.longestLogPages = defersCheckpoints ? 20 : 0
        var stopped = 0
        for seed in UInt64(0)..<60 {
            let (committed, found) = try run(seed: seed) {
                try ServiceDatabase(path: $0, migrations: [table], options: options)
            }
            #expect(committed.isSubset(of: found), "seed \(seed)")
            stopped += committed.count < 200 ? 1 : 0
        }
        #expect(stopped > 30)
    }

    @Test func `commits without sync are lost by the shim`() throws {
        let losses = try (UInt64(0)..<40).filter { seed in
            let (committed, found) = try run(seed: seed) { path in try CarelessDatabase(path: path) }
            return !committed.isSubset(of: found)
        }
        #expect(losses.count > 5)
    }

    @Test func `handles of a dead process cannot write`() throws {
        let directory = try TemporaryDirectory()
        let disk = PowerCutDisk(directory: directory.path)
        let options = DatabaseOptions(vfs: PowerCutDisk.vfs)
        let dead = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [table], options: options)
        disk.cut(seed: 1)
        let alive = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [table], options: options)
        #expect(throws: StorageError.self) { try dead.write { try $0.execute(sql: "INSERT INTO numbers VALUES (1)") } }
        try alive.write { try $0.execute(sql: "INSERT INTO numbers VALUES (2)") }
        #expect(try alive.read { try Int.fetchAll($0, sql: "SELECT n FROM numbers") } == [2])
    }

    private var options: DatabaseOptions { DatabaseOptions(checkpointPages: 8, vfs: PowerCutDisk.vfs) }

    /// Commits numbers until the machine stops somewhere, cuts the power, and reads what is there; nothing if the file is
    /// damaged.
    private func run(
        seed: UInt64, open: (String) throws -> any NumberStore
    ) throws -> (committed: Set<Int>, found: Set<Int>) {
        let directory = try TemporaryDirectory()
        let disk = PowerCutDisk(directory: directory.path)
        disk.stop(after: 5 + Int(seed * 37 % 400))
        var committed: Set<Int> = []
        do {
            let database = try open(directory.path("a.sqlite"))
            for number in 1...200 {
                try database.add(number)
                committed.insert(number)
            }
        } catch is StorageError {} catch is DatabaseError {}
        disk.cut(seed: seed)
        do {
            let database = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [table], options: options)
            let check = try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
            return (
                committed, check == "ok" ? try database.read { try Int.fetchSet($0, sql: "SELECT n FROM numbers") } : []
            )
        } catch is StorageError {
            return (committed.union([0]), [])
        }
    }
}

/// What is under test: something that keeps numbers.
private protocol NumberStore {
    func add(_ number: Int) throws
}

extension ServiceDatabase: NumberStore {
    fileprivate func add(_ number: Int) throws {
        try write { try $0.execute(sql: "INSERT INTO numbers VALUES (\(number))") }
        try checkpointIfDue()
    }
}

/// The planted mistake: write-ahead logging without a sync at each commit.
private struct CarelessDatabase: NumberStore {
    let queue: DatabaseQueue

    init(path: String) throws {
        queue = try DatabaseQueue(path: "file:\(path)?vfs=\(PowerCutDisk.vfs)")
        try queue.inDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            try db.execute(sql: "CREATE TABLE numbers (n INTEGER PRIMARY KEY); PRAGMA user_version = 1")
        }
    }

    func add(_ number: Int) throws {
        try queue.write { try $0.execute(sql: "INSERT INTO numbers VALUES (\(number))") }
    }
}
