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
            + identifiers.flatMap { [Array($0.utf8), Self.bytes($0), Self.packed(Self.bytes($0))] }
    }

    /// A UUID as it lies in a block: a v4 or v7 without what its version fixes, and a v7 without its time.
    private static func packed(_ id: [UInt8]) -> [UInt8] {
        let tail = [id[7], id[8] & 0x3F | (id[6] & 3) << 6] + id[9...]
        guard id[8] >> 6 == 0b10 else { return id }
        return id[6] >> 4 == 4 ? id[..<6] + tail : id[6] >> 4 == 7 ? tail : id
    }

    /// The 16 bytes of a UUID.
    static func bytes(_ uuid: String) -> [UInt8] {
        let id = UUID(uuidString: uuid)!.uuid
        return withUnsafeBytes(of: id) { Array($0) }
    }
}
