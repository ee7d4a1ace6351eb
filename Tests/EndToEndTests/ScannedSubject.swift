import Crypto
import Foundation

/// Whom a scan looks for: everything by which a subscriber and their records are named.
struct ScannedSubject: Sendable {
    /// The number by which services know the device.
    let ordinal: Int64
    /// UUIDs as text: of the device first, then of its records.
    let identifiers: [String]
    let token: String
    /// Other texts of theirs: comments, payout numbers.
    var texts: [String] = []

    /// The bytes that are nowhere when nothing of them is left.
    var needles: [[UInt8]] {
        let hash = Array(SHA256.hash(data: Data(token.utf8)))
        return [Array(token.utf8), hash] + texts.map { Array($0.utf8) }
            + identifiers.flatMap { [Array($0.utf8), Self.bytes($0)] }
    }

    /// The 16 bytes of a UUID.
    static func bytes(_ uuid: String) -> [UInt8] {
        let id = UUID(uuidString: uuid)!.uuid
        return withUnsafeBytes(of: id) { Array($0) }
    }
}
