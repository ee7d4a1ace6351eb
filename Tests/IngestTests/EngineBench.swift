import Channels
import Foundation
import IngestCommands
import IngestCommit
import IngestSupport
import IngestUploads
import Lanes
import Models
import Storage
import TemporaryFiles
import Wire

/// An engine over a database in memory or in a file, as a test wants it.
struct EngineBench {
    let database: ServiceDatabase
    let engine: IngestEngine

    /// - Parameter path: nil keeps everything in memory.
    init(path: String? = nil, batchLimit: Int = 1 << 30, realtimeLimit: Int = 1 << 30, requestsLimit: Int = 1 << 20)
        throws
    {
        let database = try ServiceDatabase(path: path ?? ":memory:", migrations: IngestSchema.migrations)
        self.database = database
        func journal(_ lane: LaneName, _ bytes: Int) throws -> Journal {
            try Journal(lane: lane, in: database, limits: LaneLimits(maximumBytes: bytes), newGeneration: { 5 })
        }
        engine = try IngestEngine(
            database: database, realtime: try journal(.realtime, realtimeLimit), batch: try journal(.batch, batchLimit),
            requests: try journal(.requests, requestsLimit), keys: ErasureKeys(secret: [UInt8](1...32)),
            now: Reading.now)
    }

    /// Commits one upload and returns its receipt.
    func receipt(_ upload: Upload, now: Int64 = Reading.now) throws -> Receipt {
        try engine.commit([upload], now: now).receipts[0].get()
    }

    /// The rows of all blocks of an outcome on a lane.
    static func rows(_ outcome: IngestOutcome, _ lane: LaneName) throws -> [Columns] {
        var decoder = ColumnDecoder()
        return try (outcome.blocks[lane] ?? []).map { try $0.columns(with: &decoder) }
    }
}

extension IngestSchema {
    /// The steps that a home had before one of them came.
    static func migrations(before name: String) -> [Migration] { Array(migrations.prefix { $0.name != name }) }
}

extension EngineBench {
    /// Enrols devices, whose ordinals are 1 and on.
    func enrol(_ count: Int, _ consent: Consent = .all) throws {
        let devices = (1...count).map { number in
            Enrolment(
                deviceID: [UInt8](repeating: UInt8(number), count: 16),
                tokenHash: [UInt8](repeating: UInt8(number), count: 32), platform: "web", appVersion: "1",
                consent: consent, policyVersion: "1")
        }
        _ = try engine.commit([], commands: devices, now: Reading.now)
    }

    /// A subscription that is good enough to be sealed.
    func pushChange(_ device: UInt64) throws -> PushChange {
        let key = RecipientSeal.newKey()
        return try PushChange(
            ChannelSecrets.PushSubscription(
                endpoint: try TargetURL("https://push.example.org/1", AddressPolicy()),
                publicKey: try RecipientSeal.publicKey(of: key), authentication: [UInt8](repeating: 1, count: 16)),
            of: device,
            to: ChannelKeyDocument(
                id: "k", publicKey: Data(try RecipientSeal.publicKey(of: key)).base64EncodedString(), vapidKey: ""))
    }
}
