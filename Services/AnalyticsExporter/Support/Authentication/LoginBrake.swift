package import Models
package import ServiceKit
internal import Synchronization

/// Slows down who fails to log in: after a few failures an address prefix waits, twice as long after each further one.
///
/// A known token never waits: tokens are too long to be guessed, and what is spared are the log and the disk.
///
/// Thread-safe. Memory is bounded: when as many prefixes as allowed are held, the one that may go on first makes room.
package final class LoginBrake: Sendable {
    /// Failures that cost nothing.
    static let freeFailures = 5
    /// The longest wait, half a minute: a prefix may be that of a whole carrier.
    static let longestWait: UnixMilliseconds = 30_000
    /// Without a failure for so long, a prefix begins anew.
    static let memory: UnixMilliseconds = 15 * 60_000
    static let prefixLimit = 4_096

    private struct Record {
        var failures = 0
        var freeAt: UnixMilliseconds = 0
        var last: UnixMilliseconds = 0
    }

    private let records = Mutex<[AddressPrefix: Record]>([:])

    /// Milliseconds that a prefix has to wait; 0 if it may try.
    package func wait(_ prefix: AddressPrefix, now: UnixMilliseconds) -> UnixMilliseconds {
        let freeAt = records.withLock { $0[prefix]?.freeAt ?? 0 }
        // A clock that was set back must not lock anybody out for longer.
        return min(max(0, freeAt - now), Self.longestWait)
    }

    package func failed(_ prefix: AddressPrefix, now: UnixMilliseconds) {
        records.withLock { records in
            if records[prefix] == nil, records.count >= Self.prefixLimit {
                records = records.filter { $0.value.last + Self.memory > now }
                if records.count >= Self.prefixLimit, let first = records.min(by: { $0.value.freeAt < $1.value.freeAt })
                {
                    records[first.key] = nil
                }
            }
            var record = records[prefix] ?? Record()
            if record.last + Self.memory <= now { record.failures = 0 }
            record.failures += 1
            record.last = now
            let further = record.failures - Self.freeFailures
            if further > 0 { record.freeAt = now + min(1_000 << Int64(min(further - 1, 5)), Self.longestWait) }
            records[prefix] = record
        }
    }

    /// Prefixes that are held.
    var count: Int { records.withLock { $0.count } }

    package func succeeded(_ prefix: AddressPrefix) { records.withLock { $0[prefix] = nil } }

    package init() {}
}
