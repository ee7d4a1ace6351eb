import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import TemporaryFiles
import Testing
import Wire

@Suite struct SealedJournalTests {
    let directory: TemporaryDirectory
    let sealer = BlockSealer(key: [UInt8](repeating: 3, count: 32))
    /// Stored as it is beside the deflated part, so that a raw scan of the file must find it.
    let identifier = [UInt8]("0123456789abcdef".utf8)

    init() throws { directory = try TemporaryDirectory() }

    @Test(arguments: [true, false]) func `file holds plain bytes only if not sealed`(isSealed: Bool) throws {
        let database = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [])
        let journal = try Journal(lane: .batch, in: database, sealer: isSealed ? sealer : nil)
        let block = try append(journal, database)
        try database.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path("a.sqlite")))
        #expect((bytes.range(of: Data(identifier)) == nil) == isSealed)
        let again = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [])
        let page = try Journal.read(lane: .batch, from: try again.reader(), after: 0, sealer: sealer)
        #expect(page.blocks == [block])
    }

    @Test func `clear and sealed blocks live in one journal`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: [])
        let clear = try append(try Journal(lane: .batch, in: database), database)
        let sealed = try append(try Journal(lane: .batch, in: database, sealer: sealer), database)
        let page = try Journal.read(lane: .batch, from: try database.reader(), after: 0, sealer: sealer)
        #expect(page.blocks == [clear, sealed])
    }

    @Test func `missing key is named`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: [])
        _ = try append(try Journal(lane: .batch, in: database, sealer: sealer), database)
        #expect(throws: LaneError.unknownKey(lane: .batch, block: 1, keyID: sealer.keyID)) {
            try Journal.read(lane: .batch, from: try database.reader(), after: 0)
        }
    }

    @Test func `block moved to another number does not open`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: [])
        let journal = try Journal(lane: .batch, in: database, sealer: sealer)
        _ = try append(journal, database)
        _ = try append(journal, database)
        try database.write { db in
            try db.execute(
                sql:
                    "UPDATE lane_batch_blocks SET payload = (SELECT payload FROM lane_batch_blocks WHERE number = 1) WHERE number = 2"
            )
        }
        #expect(throws: StorageError.self) {
            try Journal.read(lane: .batch, from: try database.reader(), after: 1, sealer: sealer)
        }
    }

    private func append(_ journal: Journal, _ database: ServiceDatabase) throws -> Block {
        var encoder = ColumnEncoder()
        let columns = Columns(
            rowCount: 1, columns: [Column(id: ColumnID.id, presence: .full(1), fixed16: identifier)])
        return try database.write {
            try journal.append($0, kind: .report, columns: columns, encoder: &encoder, now: 1)
        }[0]
    }
}
