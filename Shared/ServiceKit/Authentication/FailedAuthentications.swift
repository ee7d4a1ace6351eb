public import Models
internal import Synchronization

/// Failed authentications that wait to be written: one entry a minute, prefix and reason, however many there are.
///
/// So a flood of guesses costs a counter each, and the disk one row a minute and prefix. Thread-safe; from any thread.
public final class FailedAuthentications: Sendable {
    /// Entries that wait at most; further prefixes are counted together as ``AddressPrefix/others``.
    public static let most = 1_024

    private struct Key: Hashable {
        let minute: Int64
        let prefix: AddressPrefix
        let reason: String
    }

    private let waiting = Mutex<[Key: FailedAuthentication]>([:])

    public init() {}

    /// Notes a failure.
    ///
    /// - Parameter reason: one of a fixed set of words, never text from outside.
    public func record(_ reason: String, from address: ClientAddress, now: UnixMilliseconds) {
        add(FailedAuthentication(prefix: address.prefix, reason: reason, last: now))
    }

    /// Takes what is to be written.
    public func take() -> [FailedAuthentication] {
        waiting.withLock { waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    /// Takes back what could not be written.
    public func giveBack(_ failures: [FailedAuthentication]) {
        for failure in failures { add(failure) }
    }

    private func add(_ failure: FailedAuthentication) {
        waiting.withLock { waiting in
            var key = Key(minute: failure.minute, prefix: failure.prefix, reason: failure.reason)
            if waiting[key] == nil, waiting.count >= Self.most {
                key = Key(minute: failure.minute, prefix: .others, reason: failure.reason)
            }
            let known = waiting[key]
            waiting[key] = FailedAuthentication(
                prefix: key.prefix, reason: key.reason, count: failure.count + (known?.count ?? 0),
                last: max(failure.last, known?.last ?? 0))
        }
    }
}
