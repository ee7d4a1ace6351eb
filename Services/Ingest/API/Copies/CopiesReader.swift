internal import Foundation
internal import GRDB
internal import IngestSupport
package import Models
internal import NIOPosix
internal import QoE
internal import Storage

/// Reads ingest's copies over a read-only connection, on NIO's thread pool. From any task.
package struct CopiesReader: Sendable {
    let reader: ReadOnlyDatabase
    private let zone: TimeZone

    init(reader: ReadOnlyDatabase, timeZone: String) {
        self.reader = reader
        zone = TimeZone(identifier: timeZone) ?? .gmt
    }

    /// A page of a device's rewards; all of one moment.
    func rewards(of device: UInt64, _ query: PageQuery, now: UnixMilliseconds) async throws -> RewardsAnswer {
        let device = Int64(bitPattern: device), today = CivilDay.number(of: now, in: zone)
        return try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { db in
                let subscriber = try Subscriber.stored(device, db) ?? Subscriber()
                let found = try Self.grants(of: device, query, db)
                let grants = Array(found.prefix(query.limit))
                return RewardsAnswer(
                    subscriber: subscriber, grants: grants,
                    next: found.count > grants.count ? grants.last?.position : nil,
                    streak: Streak(subscriber.days, today: today), asOf: try DocumentCopies.asOf(.rewards, db))
            }
        }
    }

    /// What a device has reached.
    func progress(of device: UInt64, now: UnixMilliseconds) async throws -> ProgressAnswer {
        let device = Int64(bitPattern: device), today = CivilDay.number(of: now, in: zone)
        return try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { db in
                let document = try Data.fetchOne(
                    db.cachedStatement(sql: "SELECT document FROM progress WHERE device = ?"), arguments: [device])
                return ProgressAnswer(
                    progress: try document.map { try JSONDecoder().decode(ProgressDocument.self, from: $0) },
                    today: today, asOf: try DocumentCopies.asOf(.rewards, db))
            }
        }
    }

    /// Where a device stands.
    func standings(of device: UInt64, now: UnixMilliseconds) async throws -> StandingsAnswer {
        let today = CivilDay.number(of: now, in: zone)
        return try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { db in
                let (nickname, standings) = try StandingCopies(db).standings(of: device, today: today)
                return StandingsAnswer(
                    nickname: nickname, standings: standings, asOf: try DocumentCopies.asOf(.rewards, db))
            }
        }
    }

    /// What is kept of the `operations` lane.
    package func documents() async throws -> DocumentCopies {
        try await NIOThreadPool.singleton.runIfActive { [reader] in try reader.read { try DocumentCopies($0) } }
    }

    /// The prompt policy in force, the one that was published or the built-in one, and what is usual at some places.
    func promptPolicy(
        _ query: MedianQuery, now: UnixMilliseconds
    ) async throws -> (policy: PromptPolicy, medians: ReleasedMedians) {
        let (stored, medians) = try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { db in
                (try DocumentCopies.document(.promptPolicy, db), try ReleasedMedians(query, now: now, db))
            }
        }
        return (stored.flatMap { PromptPolicy(published: $0[...]) } ?? .builtIn(timeZone: zone.identifier), medians)
    }

    /// What the privacy worker made of a request for erasure; nil if nobody has heard of it yet.
    func erasureOrder(_ request: String) async throws -> ErasureOrderDocument? {
        let stored = try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { try DocumentCopies.document(.erasureOrder, request, $0) }
        }
        return try stored.map { try JSONDecoder().decode(ErasureOrderDocument.self, from: Data($0)) }
    }

    /// The public keys that services announced, by service.
    func verificationKeys() async throws -> [VerificationKeyDocument] {
        let stored = try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { try DocumentCopies.documents(.verificationKey, $0) }
        }
        return try stored.map { try JSONDecoder().decode(VerificationKeyDocument.self, from: Data($0)) }
            .sorted { ($0.service, $0.keyID) < ($1.service, $1.keyID) }
    }

    /// The key to which payout numbers are sealed; nil until the reward dispatcher has told it.
    func payoutKey() async throws -> PayoutKeyDocument? {
        let stored = try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { try DocumentCopies.document(.payoutKey, $0) }
        }
        return stored.flatMap { try? JSONDecoder().decode(PayoutKeyDocument.self, from: Data($0)) }
    }

    /// The keys to which subscriptions are sealed and by which push services know this home; nil until the notifier has told them.
    func channelKey() async throws -> ChannelKeyDocument? {
        let stored = try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { try DocumentCopies.document(.channelKey, $0) }
        }
        return stored.flatMap { try? JSONDecoder().decode(ChannelKeyDocument.self, from: Data($0)) }
    }

    /// By what a provider's callbacks are known; nil for one that does not call.
    func callbackSecret(of provider: String) async throws -> CallbackSecretDocument? {
        let stored = try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { try DocumentCopies.document(.callbackSecret, provider, $0) }
        }
        return stored.flatMap { try? JSONDecoder().decode(CallbackSecretDocument.self, from: Data($0)) }
    }

    /// One more than is asked for, if there is one.
    private static func grants(of device: Int64, _ query: PageQuery, _ db: Database) throws -> [GrantDocument] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, device, campaign, record, amount, state, changed_at, received_at FROM grants
                WHERE device = ? AND (received_at, id) < (?, ?) ORDER BY received_at DESC, id DESC LIMIT ?
                """)
        return try Row.fetchAll(statement, arguments: [device, query.after.time, query.after.name, query.limit + 1]).map
        {
            GrantDocument(
                grant: $0[0], device: UInt64(bitPattern: $0[1] as Int64), campaign: $0[2], record: $0[3],
                amountXAF: $0[4], state: GrantState(rawValue: $0[5]) ?? .unknown, changedAt: $0[6], receivedAt: $0[7])
        }
    }
}

extension CopiesReader {
    /// Documents of sites and sensors, and when the last change that was read of operators' documents was committed.
    ///
    /// - Parameter known: nil is given back if there was no change since.
    package func sites(unless known: UnixMilliseconds?) async throws -> (
        asOf: UnixMilliseconds?, sites: [[UInt8]], sensors: [[UInt8]]
    )? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { db in
                let asOf = try DocumentCopies.asOf(.operations, db)
                guard asOf == nil || asOf != known else { return nil }
                return (asOf, try DocumentCopies.documents(.site, db), try DocumentCopies.documents(.sensor, db))
            }
        }
    }
}

extension GrantDocument {
    fileprivate var position: PagePosition {
        PagePosition(time: receivedAt ?? changedAt, name: grant)
    }
}
