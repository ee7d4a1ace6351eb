internal import Crypto
internal import Models
internal import Synchronization

/// Browsers that are logged in. Kept in memory: a restart logs them out.
///
/// Thread-safe. Only SHA-256 of a session's name is kept, and looked up by it, so that timing tells nothing about the name.
final class Sessions: Sendable {
    static let cookie = "nkul_session"
    /// 12 hours.
    static let lifetime: UnixMilliseconds = 12 * 3_600_000
    /// The oldest makes room for the next.
    static let limit = 1000

    private let ends = Mutex<[[UInt8]: UnixMilliseconds]>([:])

    /// A new session; returns its name, 256 random bits in hexadecimal.
    func begin(now: UnixMilliseconds) -> String {
        var generator = SystemRandomNumberGenerator()
        var name: [UInt8] = []
        for _ in 0..<32 {
            let byte = UInt8.random(in: 0 ... .max, using: &generator)
            name.append(JSONText.hexadecimal(byte >> 4))
            name.append(JSONText.hexadecimal(byte & 15))
        }
        ends.withLock { ends in
            ends = ends.filter { $0.value > now }
            if ends.count >= Self.limit, let oldest = ends.min(by: { $0.value < $1.value }) { ends[oldest.key] = nil }
            ends[Self.digest(name)] = now + Self.lifetime
        }
        return String(decoding: name, as: UTF8.self)
    }

    func isOpen(_ name: String, now: UnixMilliseconds) -> Bool {
        ends.withLock { $0[Self.digest(Array(name.utf8))].map { $0 > now } ?? false }
    }

    func end(_ name: String) {
        ends.withLock { $0[Self.digest(Array(name.utf8))] = nil }
    }

    private static func digest(_ name: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: name)) }
}
