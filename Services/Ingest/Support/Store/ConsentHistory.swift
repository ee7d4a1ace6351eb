internal import IngestDuplicates
package import IngestUploads
package import Models

/// The consents of a device that rows of today may still have been captured under, oldest first.
///
/// Bounded twice: by the acceptance horizon, and by a number of periods. A device that changes its mind more often has its
/// oldest periods joined into one that allows what all of them allowed.
///
///     until i64 │ consent i64      for each, little-endian
package struct ConsentHistory: Equatable {
    static let mostPeriods = 16

    package private(set) var past: [PastConsent] = []

    package init(_ past: [PastConsent] = []) { self.past = past }

    /// Reads a blob.
    ///
    /// - Throws: ``DeviceMemory/Damage``.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count % 16 == 0 else { throw DeviceMemory.Damage() }
        past = stride(from: 0, to: bytes.count, by: 16).map { place in
            PastConsent(
                until: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self)),
                consent: Consent(
                    rawValue: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: Int64.self))))
        }
    }

    /// The blob, empty if there was only ever one consent.
    var encoded: [UInt8] {
        past.flatMap { period in
            withUnsafeBytes(of: period.until.littleEndian, Array.init)
                + withUnsafeBytes(of: period.consent.rawValue.littleEndian, Array.init)
        }
    }

    /// Notes that a consent ended now, and forgets what is beyond the horizon.
    package mutating func end(_ consent: Consent, at now: UnixMilliseconds) {
        // A clock that was set back must not let an older consent begin again.
        let end = max(now, past.last?.until ?? now)
        past.append(PastConsent(until: end, consent: consent))
        past.removeAll { $0.until < now - AcceptanceHorizon.back }
        while past.count > Self.mostPeriods {
            let joined = past[0].consent.intersection(past[1].consent)
            past.replaceSubrange(0...1, with: [PastConsent(until: past[1].until, consent: joined)])
        }
    }
}
