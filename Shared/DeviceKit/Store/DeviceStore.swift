internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// What the kit keeps on the phone: records, uploads without a receipt, its state and counters, in one SQLite file.
///
/// Records, bodies and state are encrypted (``StoreSealer``); kinds, times, sizes and counters are not. When ``apply(_:state:)``
/// returns, it is on the disk. Confined to one thread at a time.
final class DeviceStore {
    static let version: Int64 = 2
    private let queue: DatabaseQueue
    let sealer: StoreSealer
    private(set) var facts = QueueFacts()
    /// What became of records, by name: `made`, `accepted`, `duplicates`, `expired`, … Since the store was made.
    private(set) var counters: [String: Int64] = [:]
    /// The state as it was kept; nil in a new store.
    private(set) var state: [UInt8]?
    /// The slow state as it was kept; nil in a new store, and in one that has it in its state.
    private(set) var slow: [UInt8]?

    /// Opens or makes a store.
    ///
    /// - Parameters:
    ///   - path: of the file; SQLite makes two more beside it.
    ///   - isSynced: false in simulations, which lose no power.
    init(path: String, key: [UInt8], isSynced: Bool = true) throws {
        sealer = try StoreSealer(key: key)
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // A second process would count on from the same counter.
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "PRAGMA synchronous = \(isSynced ? "FULL" : "OFF")")
            try db.execute(sql: "PRAGMA journal_size_limit = 1000000")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inDatabase { db in
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
                try Self.prepare(db)
            }
            try read()
        } catch { throw Self.cause(error) }
    }

    /// Does all of it or nothing.
    ///
    /// - Parameters:
    ///   - state: what is kept as the state of the kit from now on.
    ///   - slow: what is kept as its slow state from now on; nil: what is kept already.
    /// - Throws: ``DeviceStoreError``; ``facts`` and ``counters`` are then as before.
    func apply(_ changes: [QueueChange], state: [UInt8], slow: [UInt8]? = nil) throws {
        let before = counters
        do {
            let after = try queue.inDatabase { db in
                var facts = facts
                try db.inTransaction(.immediate) {
                    for change in changes { try apply(change, db) }
                    if state != self.state { try keep(state, in: "state", db) }
                    if let slow { try keep(slow, in: "slow_state", db) }
                    try keepCounters(before, db)
                    if !changes.isEmpty { facts = try Self.facts(db) }
                    return .commit
                }
                return facts
            }
            (facts, self.state, self.slow) = (after, state, slow ?? self.slow)
        } catch {
            counters = before
            throw Self.cause(error)
        }
    }

    /// The bytes of an upload, the same at each try.
    func body(of slot: UploadSlot) throws -> [UInt8] {
        do {
            return try queue.inDatabase { db in
                guard
                    let row = try Row.fetchOne(
                        db, sql: "SELECT key, body FROM uploads WHERE slot = ?", arguments: [slot.rawValue])
                else { return [] }
                return try sealer.open([UInt8](row["body"] as Data), at: "upload \(row["key"] as String)")
            }
        } catch { throw Self.cause(error) }
    }

    /// Lets the file have so many bytes at most, nil as many as it needs: how simulations fill a disk.
    func limit(bytes: Int?) throws {
        do {
            try queue.inDatabase { db in
                let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                // SQLite takes no limit below what there is.
                let most = bytes.map { max(pages, $0 / size) } ?? 1_073_741_823
                _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(most)")
            }
        } catch { throw Self.cause(error) }
    }

    /// Closes the file.
    func close() throws {
        do { try queue.close() } catch { throw Self.cause(error) }
    }

    func count(_ name: String, _ more: Int) {
        if more > 0 { counters[name, default: 0] += Int64(more) }
    }

    /// The next counter of a record. Counters are never used twice, also not after their record is gone.
    func nextSeq(above used: Int64 = 0) -> Int64 {
        let next = max(counters["seq"] ?? 0, used) + 1
        counters["seq"] = next
        return next
    }

    private func read() throws {
        try queue.inDatabase { db in
            for row in try Row.fetchAll(db, sql: "SELECT name, value FROM counters") {
                counters[row["name"]] = row["value"] as Int64
            }
            (state, slow) = (try kept(in: "state", db), try kept(in: "slow_state", db))
            facts = try Self.facts(db)
        }
    }

    private func kept(in table: String, _ db: Database) throws -> [UInt8]? {
        let sealed = try Data.fetchOne(db, sql: "SELECT sealed FROM \(table) WHERE id = 1")
        return try sealed.map { try sealer.open([UInt8]($0), at: table) }
    }

    private func keep(_ bytes: [UInt8], in table: String, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO \(table) (id, sealed) VALUES (1, ?)")
            .execute(arguments: [Data(try sealer.seal(bytes, at: table))])
    }

    private func keepCounters(_ before: [String: Int64], _ db: Database) throws {
        for (name, value) in counters where before[name] != value {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)")
                .execute(arguments: [name, value])
        }
    }

    private static func cause(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        if error.resultCode == .SQLITE_FULL { return DeviceStoreError.full }
        return DeviceStoreError.sqlite(
            code: error.extendedResultCode.rawValue, error.message ?? "\(error.extendedResultCode)")
    }
}
