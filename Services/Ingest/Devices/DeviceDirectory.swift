internal import NIOPosix
internal import Storage
internal import Synchronization

/// Who is behind a token: a bounded cache over a read-only connection.
///
/// From any task. A miss reads on NIO's thread pool, so that the cooperative pool never waits for a disk.
final class DeviceDirectory: Sendable {
    /// Entries of two ages: when the young ones are as many as may be kept, the old ones go.
    private struct Cache {
        var young: [TokenHash: DeviceIdentity] = [:]
        var old: [TokenHash: DeviceIdentity] = [:]
    }

    private let reader: ReadOnlyDatabase
    private let cache = Mutex(Cache())
    private let generationSize: Int

    init(reader: ReadOnlyDatabase, cachedDevices: Int) {
        self.reader = reader
        generationSize = max(1, cachedDevices / 2)
    }

    /// The device of a token, nil if nobody has it.
    func device(_ token: Substring) async throws -> DeviceIdentity? {
        let hash = DeviceToken.hash(token)
        if let known = lookup(hash) { return known }
        let found = try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.readOne { try IngestStore($0).device(tokenHash: hash.bytes) }
        }
        if let found { remember(hash, found) }
        return found
    }

    private func lookup(_ hash: TokenHash) -> DeviceIdentity? {
        cache.withLock { cache in
            if let known = cache.young[hash] { return known }
            guard let known = cache.old[hash] else { return nil }
            insert(hash, known, &cache)
            return known
        }
    }

    private func remember(_ hash: TokenHash, _ device: DeviceIdentity) {
        cache.withLock { insert(hash, device, &$0) }
    }

    private func insert(_ hash: TokenHash, _ device: DeviceIdentity, _ cache: inout Cache) {
        if cache.young.count >= generationSize {
            cache.old = cache.young
            cache.young = [:]
        }
        cache.young[hash] = device
    }
}
