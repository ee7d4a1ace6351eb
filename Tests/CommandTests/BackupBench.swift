import Foundation
import GRDB
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import Wire

@testable import Administration

/// A home of two services, ingest and exporter, with a lane between them, made by hand; and a pair of keys.
final class BackupBench {
    let folder = ScratchFolder()
    let home: Home
    let ingest: ServiceDatabase
    let exporter: ServiceDatabase
    let journal: Journal
    let identity = RecipientSeal.newKey()
    private var encoder = ColumnEncoder()

    static let now: UnixMilliseconds = 1_750_000_000_000

    init() throws {
        home = Home(path: folder.path + "/home")
        for service in [ServiceName.ingest, .analyticsExporter] {
            try home.prepare(for: service, timeZone: "Africa/Douala")
        }
        ingest = try ServiceDatabase(
            path: home.database(of: .ingest),
            migrations: [
                Migration(
                    "as ingest's",
                    sql: """
                        CREATE TABLE devices (ordinal INTEGER PRIMARY KEY);
                        CREATE TABLE device_names (ordinal INTEGER PRIMARY KEY, device_id BLOB NOT NULL);
                        CREATE TABLE erasure_requests (request TEXT PRIMARY KEY, document TEXT NOT NULL);
                        """)
            ])
        journal = try Journal(lane: .batch, in: ingest, newGeneration: { 77 })
        exporter = try ServiceDatabase(path: home.database(of: .analyticsExporter), migrations: [])
        try exporter.write { try Cursor.createTable($0) }
        _ = try KeyStore(directory: home.keys).secret("ingest.suppression.key") { [UInt8](1...32) }
    }

    var recipient: [UInt8] { get throws { try RecipientSeal.publicKey(of: identity) } }

    func append(_ blocks: Int = 1, bytes: Int = 100) throws {
        for _ in 0..<blocks {
            let text = (0..<bytes).map { _ in UInt8.random(in: 32...126) }
            let columns = Columns(rowCount: 1, columns: [Column(id: ColumnID.comment, strings: [text])])
            _ = try ingest.write { db in
                try journal.append(db, kind: .report, columns: columns, encoder: &encoder, now: Self.now)
            }
        }
    }

    func read(through block: UInt64, generation: UInt64 = 77) throws {
        try exporter.write { try Cursor.write(Position(lane: .batch, generation: generation, block: block), $0) }
    }

    /// Makes a backup in a file of the folder.
    @discardableResult
    func back(up name: String = "b.nkul", _ interrupt: Interrupt = Interrupt()) throws -> String {
        let file = "\(folder.path)/\(name)"
        _ = try BackupRun(home: home, file: file, recipient: recipient, now: Self.now).run(interrupt)
        return file
    }

    func restore(
        _ file: String, to name: String = "new", _ orders: LaterOrders = .none
    ) throws -> (outcome: RestoreRun.Outcome, home: Home) {
        let home = Home(path: "\(folder.path)/\(name)")
        let run = RestoreRun(file: file, home: home, identity: identity, orders: orders, now: Self.now + 1_000)
        return (try run.run(Interrupt()), home)
    }

    /// Names of the folder.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
}
