internal import Crypto
package import Models
internal import Synchronization

/// One-time codes by which contacts log in: each for one contact, once, within five minutes, and after five wrong tries not at all.
/// After twenty wrong tries in a row, of whatever code, the contact gets none for a day: six digits are guessed by who may go on.
/// Thread-safe.
///
/// In memory alone, as digests under a key of this start: six digits are found by trying them where anybody may try. After a restart
/// none of before is good for anything.
package final class LoginCodes: Sendable {
    static let tries = 5
    /// Until a contact is sent another one.
    static let pause: UnixMilliseconds = 60_000
    /// Codes that a contact is sent within an hour, unless it logs in: whoever knows a name can ask.
    static let hourly = 5
    /// Wrong tries, over all codes since the contact logged in by one.
    static let wrongTries = 20
    /// How long no code is sent after the last of them.
    static let lock: UnixMilliseconds = 86_400_000
    /// Contacts at once; the one that asked first makes room for the next.
    static let limit = 10_000

    private struct Contact {
        /// When it was sent codes, within the last hour.
        var times: [UnixMilliseconds] = []
        /// Of the last one; nil if it is used, or not sent yet.
        var digest: [UInt8]?
        var triesLeft = 0
        /// Wrong tries since it logged in by a code, and when the last one was.
        var wrong = 0
        var wrongAt: UnixMilliseconds = 0
    }

    private let key = SymmetricKey(size: .bits256)
    /// By the tokens of contacts: one that was revoked is not known by it any more.
    private let contacts = Mutex<[SecretDigest: Contact]>([:])

    package init() {}

    /// Six digits that nobody knows.
    package static func make() -> String { String(String(Int.random(in: 1_000_000..<2_000_000)).dropFirst()) }

    /// Whether a contact may be sent a code. If so, the one before is worth nothing from now on.
    package func reserve(for contact: SecretDigest, now: UnixMilliseconds) -> Bool {
        contacts.withLock { contacts in
            var known = contacts[contact] ?? Contact()
            // What is ahead was noted before the clock was set back.
            known.times.removeAll { $0 + 3_600_000 <= now || $0 > now }
            if known.wrongAt + Self.lock <= now || known.wrongAt > now { known.wrong = 0 }
            guard known.wrong < Self.wrongTries else { return false }
            guard known.times.count < Self.hourly, known.times.last.map({ $0 + Self.pause <= now }) ?? true else {
                return false
            }
            if contacts[contact] == nil { Self.makeRoom(&contacts, now) }
            known.times.append(now)
            (known.digest, known.triesLeft) = (nil, Self.tries)
            contacts[contact] = known
            return true
        }
    }

    /// The code that is on its way to a contact for which one was reserved.
    package func put(_ code: String, for contact: SecretDigest) {
        let digest = digest(code)
        contacts.withLock { $0[contact]?.digest = digest }
    }

    /// Whether it is the contact's code; it is used up then. Takes as long for a contact that is nil.
    package func use(_ code: String, of contact: SecretDigest?, now: UnixMilliseconds) -> Bool {
        let digest = digest(code)
        return contacts.withLock { contacts in
            let known = contact.flatMap { contacts[$0] }
            let isRight = Self.areEqual(digest, known?.digest ?? [UInt8](repeating: 0, count: digest.count))
            guard let contact, var known, known.digest != nil, known.triesLeft > 0, let madeAt = known.times.last,
                (madeAt..<madeAt + LoginCodeDocument.lifetime).contains(now)
            else { return false }
            known.triesLeft -= 1
            if !isRight { (known.wrong, known.wrongAt) = (known.wrong + 1, now) }
            contacts[contact] = isRight ? nil : known
            return isRight
        }
    }

    private static func makeRoom(_ contacts: inout [SecretDigest: Contact], _ now: UnixMilliseconds) {
        guard contacts.count >= limit else { return }
        contacts = contacts.filter {
            ($0.value.times.last ?? 0) + 3_600_000 > now || $0.value.wrongAt + lock > now && $0.value.wrong > 0
        }
        guard contacts.count >= limit,
            let first = contacts.min(by: { ($0.value.times.last ?? 0) < ($1.value.times.last ?? 0) })
        else { return }
        contacts[first.key] = nil
    }

    private func digest(_ code: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(code.utf8), using: key))
    }

    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
