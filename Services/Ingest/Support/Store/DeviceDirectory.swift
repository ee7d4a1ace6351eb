package import IngestUploads
package import NIOCore
internal import NIOPosix
package import ServiceKit
package import Storage
package import SubjectRights
internal import Synchronization

/// Who is behind a token: a bounded cache over a read-only connection.
///
/// From any task. A miss reads on NIO's thread pool, so that the cooperative pool never waits for a disk. Anybody can cause
/// misses, by tokens that nobody has: how many wait at once is limited.
package final class DeviceDirectory: Sendable {
    /// Entries of two ages: when the young ones are as many as may be kept, the old ones go.
    private struct Cache {
        var young: [TokenHash: DeviceIdentity] = [:]
        var old: [TokenHash: DeviceIdentity] = [:]
        /// Revoked since the start: a look-up that began before must not bring them back.
        var revoked: Set<UInt64> = []
    }

    package let reader: ReadOnlyDatabase
    private let cache = Mutex(Cache())
    private let revocations = Atomic(0)
    private let generationSize: Int
    private let lookUpLimit: Int
    private let lookUps = Atomic(0)
    private let refused: Counter?
    private let suppression: SuppressionKey?

    /// - Parameters:
    ///   - lookUpLimit: how many look-ups may wait for the database.
    ///   - refused: counts those that may not.
    ///   - suppression: by which tokens of erased devices are known; nil: they are nobody's.
    init(
        reader: ReadOnlyDatabase, cachedDevices: Int, lookUpLimit: Int = 1_024, refused: Counter? = nil,
        suppression: SuppressionKey? = nil
    ) {
        self.suppression = suppression
        self.reader = reader
        generationSize = max(1, cachedDevices / 2)
        self.lookUpLimit = lookUpLimit
        self.refused = refused
    }

    /// Look-ups that wait for the database.
    var waiting: Int { lookUps.load(ordering: .relaxed) }

    /// The device of a token, if it is in memory.
    package func known(_ token: Substring) -> DeviceIdentity? { known(DeviceToken.hash(token)) }

    /// The device of a token whose hash is kept, if it is in memory.
    package func known(_ hash: TokenHash) -> DeviceIdentity? { lookup(hash) }

    /// The device of a token that is not in memory, nil if nobody has it.
    ///
    /// - Returns: fails with ``DeviceAPIError/busy`` if as many look-ups wait as may, with `device_erased` naming the request if the
    ///   token was an erased device's, with the database's error if it cannot be read.
    package func find(_ token: Substring, on loop: any EventLoop) -> EventLoopFuture<DeviceIdentity?> {
        find(DeviceToken.hash(token), on: loop)
    }

    /// The same by the hash of the token.
    package func find(_ hash: TokenHash, on loop: any EventLoop) -> EventLoopFuture<DeviceIdentity?> {
        lookUp(on: loop) { try self.find(hash) }
    }

    /// The device of an upload key, nil if nobody has it; fails as the look-up of a token does.
    ///
    /// Keys are not kept in memory: who sends by one does so some times a day, and a key that is replaced is worthless at once.
    package func find(uploadKey hash: TokenHash, on loop: any EventLoop) -> EventLoopFuture<KeyedDevice?> {
        lookUp(on: loop) { try self.find(uploadKey: hash) }
    }

    private func lookUp<Found: Sendable>(
        on loop: any EventLoop, _ find: @escaping @Sendable () throws -> Found
    ) -> EventLoopFuture<Found> {
        guard lookUps.wrappingAdd(1, ordering: .relaxed).newValue <= lookUpLimit else {
            lookUps.wrappingSubtract(1, ordering: .relaxed)
            refused?.add()
            return loop.makeFailedFuture(DeviceAPIError.busy)
        }
        let found = NIOThreadPool.singleton.runIfActive(eventLoop: loop, find)
        found.whenComplete { _ in self.lookUps.wrappingSubtract(1, ordering: .relaxed) }
        return found
    }

    /// Waits for the disk.
    private func find(_ hash: TokenHash) throws -> DeviceIdentity? {
        if let known = lookup(hash) { return known }
        let found = try reader.readOne { try IngestStore($0).device(tokenHash: hash.bytes) }
        if let found, remember(hash, found) { return found }
        try refuseErased(suppression?.mark(ofToken: hash.bytes))
        return nil
    }

    /// Waits for the disk. What is in memory of the device knows the receipts that are being told.
    private func find(uploadKey hash: TokenHash) throws -> KeyedDevice? {
        if let found = try reader.readOne({ try IngestStore($0).device(uploadKey: hash.bytes) }),
            remember(found.token, found.identity), let known = lookup(found.token)
        {
            return KeyedDevice(identity: known, token: found.token)
        }
        try refuseErased(suppression?.mark(ofUploadKey: hash.bytes))
        return nil
    }

    /// Throws for the secret of a device that was erased.
    private func refuseErased(_ mark: [UInt8]?) throws {
        guard let mark else { return }
        let request = try reader.readOne { try IngestStore($0).erasure(ofToken: mark) }
        if let request { throw DeviceAPIError.deviceErased(request) }
    }

    /// Forgets a device whose token was revoked on disk; this token is nobody's from now on.
    package func revoke(_ ordinal: UInt64) {
        cache.withLock { cache in
            _ = cache.revoked.insert(ordinal)
        }
        revocations.wrappingAdd(1, ordering: .releasing)
    }

    /// True for a device that was revoked since the start; costs a look at one number while there is none.
    package func isRevoked(_ ordinal: UInt64) -> Bool {
        revocations.load(ordering: .acquiring) > 0 && cache.withLock { $0.revoked.contains(ordinal) }
    }

    /// What a device allows, as it is on disk; nil if there is no such device.
    package func consent(of device: DeviceIdentity) async throws -> ConsentState? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.readOne { try IngestStore($0).consent(of: device.ordinal) }
        }
    }

    /// The public key that a device enrolled with, X9.63; nil if it has none.
    package func key(of device: DeviceIdentity) async throws -> [UInt8]? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.readOne { try IngestStore($0).key(of: device.ordinal) }
        }
    }

    /// Replaces what is known of a device, after its consent was changed and before that is answered.
    package func replace(_ token: Substring, by device: DeviceIdentity) {
        remember(DeviceToken.hash(token), device)
    }

    /// Notes how far a device is trusted from now on, before its receipt is told. One that is not in memory is left out.
    package func learn(_ trust: DeviceTrust, of hash: TokenHash) {
        cache.withLock { cache in
            if cache.young[hash] != nil { cache.young[hash]!.learn(trust) } else { cache.old[hash]?.learn(trust) }
        }
    }

    private func lookup(_ hash: TokenHash) -> DeviceIdentity? {
        cache.withLock { cache in
            guard let known = cache.young[hash] ?? cache.old[hash] else { return nil }
            if !cache.revoked.isEmpty, cache.revoked.contains(known.ordinal) { return nil }
            if cache.young[hash] != nil { return known }
            insert(hash, known, &cache)
            return known
        }
    }

    /// False if the device was revoked.
    @discardableResult
    private func remember(_ hash: TokenHash, _ device: DeviceIdentity) -> Bool {
        cache.withLock { cache in
            guard !cache.revoked.contains(device.ordinal) else { return false }
            insert(hash, device, &cache)
            return true
        }
    }

    /// A look-up that began before a change of consent, or before a receipt, may end after it: what is newer stays.
    private func insert(_ hash: TokenHash, _ device: DeviceIdentity, _ cache: inout Cache) {
        var device = device
        if let known = cache.young[hash] ?? cache.old[hash] {
            if known.consentVersion > device.consentVersion { return }
            if let trust = known.trust { device.learn(trust) }
        }
        if cache.young.count >= generationSize {
            cache.old = cache.young
            cache.young = [:]
        }
        cache.young[hash] = device
    }
}

extension DeviceDirectory {
    /// A directory with the limits of the settings that shows how many look-ups wait.
    package convenience init(
        _ configuration: IngestConfiguration, _ database: ServiceDatabase, _ metrics: Metrics,
        _ suppression: SuppressionKey
    ) throws {
        self.init(
            reader: try database.reader(), cachedDevices: configuration.cachedDevices,
            lookUpLimit: configuration.lookUps, refused: metrics.queueRefusals("lookups"), suppression: suppression)
        metrics.queue("lookups", unit: "requests", limit: configuration.lookUps) { [weak self] in self?.waiting ?? 0 }
    }
}
