internal import IngestUploads
internal import Models
package import ServiceKit
internal import Synchronization

/// Challenges that passkeys are to sign, one of a device at a time: each counts once, for five minutes. In memory: after a restart the
/// app asks for another. Any thread.
package final class PasskeyChallenges: Sendable {
    private struct Challenge {
        let bytes: [UInt8]
        let until: UnixMilliseconds
    }

    /// Milliseconds for which one counts.
    static let life: UnixMilliseconds = 300_000

    private let open: Mutex<[UInt64: Challenge]> = Mutex([:])
    private let limit: Int
    private let refused: Counter?

    /// - Parameters:
    ///   - limit: most devices that have one at a time; more are refused.
    ///   - metrics: shows how many there are; nil: nobody asks.
    package init(limit: Int = 10_000, _ metrics: Metrics? = nil) {
        self.limit = limit
        refused = metrics?.queueRefusals("passkey_challenges")
        metrics?.queue("passkey_challenges", unit: "devices", limit: limit) { [weak self] in
            self?.open.withLock(\.count) ?? 0
        }
    }

    /// Makes one; the one that the device had is worth nothing from then on.
    ///
    /// - Throws: ``DeviceAPIError/busy`` if too many devices have one.
    func make(for device: UInt64, now: UnixMilliseconds) throws(DeviceAPIError) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let isTaken = open.withLock { open in
            if open.count >= limit, open[device] == nil { open = open.filter { $0.value.until > now } }
            guard open.count < limit || open[device] != nil else { return false }
            open[device] = Challenge(bytes: bytes, until: now + Self.life)
            return true
        }
        guard isTaken else {
            refused?.add()
            throw .busy
        }
        return bytes
    }

    /// Uses up the challenge of a device; nil if it has none, or an expired one.
    func take(of device: UInt64, now: UnixMilliseconds) -> [UInt8]? {
        let challenge = open.withLock { $0.removeValue(forKey: device) }
        return challenge.flatMap { $0.until > now ? $0.bytes : nil }
    }
}
