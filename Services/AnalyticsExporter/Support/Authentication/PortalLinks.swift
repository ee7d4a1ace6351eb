package import Models
internal import Synchronization

/// Links by which a browser takes over a contact's log-in: each once, and within a minute. Thread-safe.
///
/// In memory alone: after a restart none of before is good for anything.
package final class PortalLinks: Sendable {
    /// For so long a link is good.
    package static let lifetime: UnixMilliseconds = 60_000
    /// Links at once; the oldest makes room for the next.
    static let limit = 1_000

    package struct Link: Sendable {
        package let token: SecretDigest
        fileprivate let endsAt: UnixMilliseconds
    }

    private let links = Mutex<[SecretDigest: Link]>([:])

    package init() {}

    /// Makes one.
    ///
    /// - Returns: its name, which is told once and kept as a digest.
    package func begin(for caller: Caller, now: UnixMilliseconds) -> String {
        let name = Secret.text()
        links.withLock { links in
            links = links.filter { $0.value.endsAt > now }
            if links.count >= Self.limit, let oldest = links.min(by: { $0.value.endsAt < $1.value.endsAt }) {
                links[oldest.key] = nil
            }
            links[SecretDigest(of: name)] = Link(token: caller.token, endsAt: now + Self.lifetime)
        }
        return name
    }

    /// Whose it is; nil if it was used, is over, or there was none. It is used from now on.
    package func use(_ name: String, now: UnixMilliseconds) -> Link? {
        let link = links.withLock { $0.removeValue(forKey: SecretDigest(of: name)) }
        return link.flatMap { $0.endsAt > now ? $0 : nil }
    }

    /// Nothing came of its use: it is good again until it is over.
    package func giveBack(_ link: Link, named name: String) {
        links.withLock { $0[SecretDigest(of: name)] = link }
    }
}
