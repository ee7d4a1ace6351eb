import Foundation
import IngestCommit
import IngestSupport
import IngestUploads
import Lanes
import Models
import PowerCut
import QoE
import Storage
import TemporaryFiles
import Wire

/// Ingest on a disk that loses power again and again while phones send, each upload until it is acknowledged.
///
/// After each cut everything that was acknowledged must be in the journals, and nothing may ever be there twice. The
/// model is not asked here: whether a commit that was cut off is on disk nobody can know before the disk comes back.
public final class PowerCutRun {
    private static let parser = UploadReader(.qoe, scratches: 4)

    private let home: TemporaryDirectory
    private let disk: PowerCutDisk
    private let world: RandomWorld
    private var random: SeededRandom
    private var now = SimulationSettings.start
    private var waiting: [Int]
    /// Id of every record that a receipt calls accepted or a duplicate.
    private var acknowledged: Set<String> = []
    private var cuts = 0

    private init(seed: UInt64) throws {
        home = try TemporaryDirectory(inMemory: true)
        disk = PowerCutDisk(directory: home.path)
        var random = SeededRandom(seed: seed)
        world = RandomWorld(seed: random.next(), uploads: 40, start: SimulationSettings.start, span: 20_000)
        waiting = Array(world.uploads.indices)
        self.random = random
    }

    /// Runs one seed to its end.
    ///
    /// - Throws: ``SimulationFailure`` if an acknowledged record is missing, a record is there twice, or the database cannot be
    ///   used any more.
    public static func run(seed: UInt64) throws {
        let run = try PowerCutRun(seed: seed)
        while !run.waiting.isEmpty { try run.live() }
        try run.checkJournals()
    }

    /// One life of ingest, which ends by a power cut: at some operation on the disk, or between two commits.
    private func live() throws {
        let isLast = cuts >= 12
        if !isLast && random.chance(800) { disk.stop(after: random.below(150)) }
        do {
            let ingest = try Life(home.path("state.sqlite"))
            try checkJournals(ingest.database)
            while !waiting.isEmpty {
                if !isLast && random.chance(80) { break }
                let group = waiting.prefix(random.within(1...3))
                let receipts = try commit(Array(group), ingest.engine)
                if random.chance(500) { try ingest.database.checkpointIfDue() }
                // Some replies get lost; those uploads are sent again.
                for (index, receipt) in zip(group, receipts) where !random.chance(100) {
                    try note(receipt)
                    waiting.removeAll { $0 == index }
                }
            }
        } catch let error as StorageError {
            // A machine that runs has no reason to fail: then what the last cut left cannot be used.
            guard disk.hasStopped else { throw SimulationFailure("after \(cuts) cuts: \(error)") }
        }
        disk.cut(seed: random.next())
        cuts += 1
    }

    private func commit(_ indices: [Int], _ engine: IngestEngine) throws -> [Receipt] {
        now += Int64(random.within(1...400))
        let uploads = try indices.map { try parsed($0, world.uploads[$0]) }
        let early = random.within(0...uploads.count)
        let outcome = try engine.commit(
            Array(uploads[..<early]), now: now, late: { Array(uploads[early...]) })
        return try outcome.receipts.map { try $0.get() }
    }

    private func parsed(_ index: Int, _ upload: SimulatedUpload) throws -> IngestUploads.Upload {
        let device = DeviceIdentity(ordinal: UInt64(upload.phone + 1), consent: .all, consentVersion: 1)
        // A good record in front keeps the body readable whatever else is in it.
        let id = "0192f0c1-7a5b-7fff-8abc-\(100_000_000_000 + index)"
        let first = "{\"id\":\"\(id)\",\"captured_at_ms\":\(upload.sendAt),\"rating\":3},"
        let body = Array(("[" + first + upload.records.map(\.json).joined(separator: ",") + "]").utf8)
        let request = UploadRequest(
            kind: upload.records[0].kind == "feedback" ? .feedback : .report, idempotencyKey: upload.key,
            arrivedAt: now,
            listsAll: true)
        return try body.withUnsafeBytes { try Self.parser.read($0, of: device, as: request) }
    }

    private func note(_ receipt: Receipt) throws {
        let document = try JSONSerialization.jsonObject(with: Data(receipt.body)) as? [String: Any]
        for item in document?["items"] as? [[String: Any]] ?? [] {
            guard let status = item["status"] as? String, status != "rejected", let id = item["id"] as? String else {
                continue
            }
            acknowledged.insert(id)
        }
    }

    private func checkJournals() throws {
        try checkJournals(Life(home.path("state.sqlite")).database)
    }

    private func checkJournals(_ database: ServiceDatabase) throws {
        var found: Set<String> = []
        for lane in [LaneName.realtime, .batch] {
            var decoder = ColumnDecoder()
            let all = JournalPage.Limit(blocks: .max, bytes: .max)
            for block in try Journal.read(lane: lane, from: database.reader(), after: 0, limit: all).blocks {
                guard let kind = Programmes.qoe.record(block.header.kind) else { continue }
                let columns = try block.columns(with: &decoder)
                for row in 0..<columns.rowCount where !found.insert(StoredRawRow(kind, columns, row).id).inserted {
                    throw SimulationFailure(
                        "after \(cuts) cuts record \(StoredRawRow(kind, columns, row).id) is there twice")
                }
            }
        }
        if let lost = acknowledged.subtracting(found).sorted().first {
            throw SimulationFailure("after \(cuts) cuts acknowledged record \(lost) is lost")
        }
    }

    /// What exists between two power cuts.
    private struct Life {
        let database: ServiceDatabase
        let engine: IngestEngine

        init(_ path: String) throws {
            let options = DatabaseOptions(
                checkpointPages: 8, defersCheckpoints: true, longestLogPages: 40, vfs: PowerCutDisk.vfs)
            let database = try ServiceDatabase(path: path, migrations: IngestSchema.migrations, options: options)
            let journals = try [LaneName.realtime, .batch, .requests].map { try Journal(lane: $0, in: database) }
            self.database = database
            engine = try IngestEngine(
                database: database, realtime: journals[0], batch: journals[1], requests: journals[2],
                keys: SimulatedIngest.erasureKeys, now: 0)
        }
    }
}
