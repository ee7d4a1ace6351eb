import Foundation
import GRDB
import Lanes
package import Models
package import ServiceKit
import Storage

/// How far a restore has come; before the last step there is no home.
package enum RestoreStep: CaseIterable, Sendable {
    /// There is an empty draft of the home.
    case begun
    /// The draft has every file of the backup.
    case unpacked
    /// It is written down where the home comes from.
    case described
}

/// Makes a home of a backup.
///
///     1  the whole backup is read and authenticated, its manifest checked; the later orders are read
///     2  files into <home>.partial, synced; every database checked by SQLite
///     3  restored.json and ingest/orders-since.json beside them
///     4  <home>.partial becomes <home>
///
/// Until the last step there is no home; services take the rest in when they start.
package struct RestoreRun: Sendable {
    /// What was done.
    package struct Outcome: Encodable, Equatable {
        let home: String
        let id: String
        let backed_up_at_ms: UnixMilliseconds
        let files: Int
        let bytes: Int
        /// Orders that the backup did not know.
        let orders_since: Int
        /// Those of them whose device is in the backup: it is erased again.
        package let erased_again: Int
    }

    /// In the directory that is not a home yet, so that an interrupted restore is known by it.
    private static let mark = ".nkul-restore"

    let file: String
    let home: Home
    let identity: [UInt8]
    let orders: LaterOrders
    let now: UnixMilliseconds

    /// - Parameter now: Unix milliseconds.
    package init(file: String, home: Home, identity: [UInt8], orders: LaterOrders, now: UnixMilliseconds) {
        (self.file, self.home, self.identity, self.orders, self.now) = (file, home, identity, orders, now)
    }

    private var draft: Home { Home(path: home.path + ".partial") }

    /// Blocks until it is done; nothing is left behind if it fails.
    ///
    /// - Parameters:
    ///   - newGeneration: random numbers that are not 0, one a lane.
    ///   - reached: told of each step that was done; what it throws ends the restore.
    /// - Throws: ``BackupError``, `ServiceError`, `StorageError`, `Interrupt.Raised`.
    @discardableResult
    package func run(
        _ interrupt: Interrupt, newGeneration: () -> UInt64 = Journal.randomGeneration,
        reached: (RestoreStep) throws -> Void = { _ in }
    ) throws -> Outcome {
        try requireEmpty()
        let manifest = try BackupCheck.run(file, identity: identity, interrupt)
        _ = try orders.all()
        try clearDraft()
        try draft.createDirectory(draft.path)
        do {
            try SmallFile.write("\(file)\n", to: "\(draft.path)/\(Self.mark)")
            try reached(.begun)
            try unpack(interrupt)
            try reached(.unpacked)
            try check(manifest, interrupt)
            let outcome = try describe(manifest, newGeneration)
            try reached(.described)
            try takePlace()
            return outcome
        } catch {
            try? FileManager.default.removeItem(atPath: draft.path)
            throw error
        }
    }

    private func requireEmpty() throws {
        let content = try? FileManager.default.contentsOfDirectory(atPath: home.path)
        guard access(home.path, F_OK) != 0 || content?.isEmpty == true else {
            throw ServiceError(
                .home,
                "\(home.path) is not empty: a backup is restored into a home that does not exist yet; move this one away"
            )
        }
    }

    /// Takes away what an interrupted restore left.
    private func clearDraft() throws {
        guard access(draft.path, F_OK) == 0 else { return }
        guard access("\(draft.path)/\(Self.mark)", F_OK) == 0 else {
            throw ServiceError(.home, "\(draft.path) is in the way; move it away")
        }
        try FileManager.default.removeItem(atPath: draft.path)
    }

    private func unpack(_ interrupt: Interrupt) throws {
        let reader = try BackupReader(path: file, identity: identity)
        var progress = ByteProgress("restoring", total: reader.manifest.bytes)
        defer { progress.end() }
        var open: NewFile?
        try reader.forEachPiece { entry, piece, isEnd in
            let file = try open ?? NewFile("\(draft.path)/\(entry.path)", in: draft)
            try file.write(piece)
            open = isEnd ? nil : file
            if isEnd { try file.finish() }
            progress.add(piece.count)
            try interrupt.check()
        }
        // The directory of secrets is there even if there were none.
        try draft.createDirectory(draft.keys)
    }

    /// SQLite looks through every database; what it makes beside them goes with its connection.
    private func check(_ manifest: BackupManifest, _ interrupt: Interrupt) throws {
        for entry in manifest.files where entry.isDatabase {
            try interrupt.check()
            let queue = try DatabaseQueue(path: "\(draft.path)/\(entry.path)")
            let answers = try queue.writeWithoutTransaction { try String.fetchAll($0, sql: "PRAGMA quick_check(5)") }
            try queue.close()
            guard answers == ["ok"] else {
                throw BackupError(file, "\(entry.path) is damaged: \(answers.joined(separator: "; "))")
            }
        }
    }

    /// Writes down where the home comes from, for its services.
    private func describe(_ manifest: BackupManifest, _ newGeneration: () -> UInt64) throws -> Outcome {
        let erasures = try RestoredErasures(orders, in: draft)
        let restoration = Restoration(
            id: UUID().uuidString.lowercased(), backedUpAt: manifest.createdAt, restoredAt: now,
            lanes: manifest.lanes.map {
                Restoration.Lane(
                    lane: $0.lane, oldGeneration: $0.generation, head: $0.head, generation: newGeneration())
            },
            readers: manifest.cursors.map { Restoration.Reader(lane: $0.lane, reader: $0.reader, block: $0.block) },
            awaitedErasures: erasures.awaited)
        try draft.createDirectory(draft.directory(of: .ingest))
        if !erasures.unknown.isEmpty {
            let list = ErasureOrderList(erasures.unknown, exportedAt: now)
            try write(SortedJSON.bytes(of: list), to: draft.ordersSinceFile)
        }
        try write(SortedJSON.bytes(of: restoration), to: draft.restoredFile)
        return Outcome(
            home: home.path, id: restoration.id, backed_up_at_ms: manifest.createdAt, files: manifest.files.count,
            bytes: manifest.bytes, orders_since: erasures.unknown.count, erased_again: erasures.concerned)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try NewFile(path, in: draft)
        try file.write(bytes)
        try file.finish()
    }

    private func takePlace() throws {
        try FileManager.default.removeItem(atPath: "\(draft.path)/\(Self.mark)")
        try syncDirectories(draft.path)
        // An empty directory may be replaced by another one.
        guard rename(draft.path, home.path) == 0 else {
            throw ServiceError(.home, "cannot make \(home.path)", errno: errno)
        }
        try DurableFolder.sync((home.path as NSString).deletingLastPathComponent)
    }

    private func syncDirectories(_ path: String) throws {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for name in names {
            var isDirectory: ObjCBool = false
            let full = "\(path)/\(name)"
            if FileManager.default.fileExists(atPath: full, isDirectory: &isDirectory), isDirectory.boolValue {
                try DurableFolder.sync(full)
            }
        }
        try DurableFolder.sync(path)
    }
}
