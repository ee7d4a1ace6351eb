internal import Foundation
public import Models
internal import Storage
public import Wire

/// A part of what a service holds about a device: bytes deflated, then sealed to the one-time key of the request.
///
///     bytes ─ zlib (RFC 1950) ─▶ HPKE (RecipientSeal) ─▶ sealed, 32 KB at most
///     bound to "<request>/<service>/<number>/more", or "/last": a part opens only where it belongs
public struct AccessPart: Sendable, Equatable {
    /// What HPKE is told that the bytes are for.
    static let purpose = "nkul access part 1"
    /// Bytes of a part at most, as it travels.
    package static let mostSealed = 32_768
    /// What one part may inflate to.
    static let mostInflated = 256 << 10

    public let document: AccessPartDocument
    /// The device's ordinal.
    public let device: UInt64
    public let sealed: [UInt8]

    /// Seals bytes of any length as parts, in their order.
    ///
    /// - Parameters:
    ///   - first: number of the first part.
    ///   - isLast: whether the last of them is the last of all.
    /// - Throws: `StorageError` `badKey` if the order's public key is none.
    static func seal(
        _ bytes: [UInt8], of service: String, for order: AccessOrder, from first: Int, isLast: Bool
    ) throws -> [AccessPart] {
        let deflated = try Deflater.deflate(bytes, format: .zlib)
        if deflated.count > mostSealed - 1_024 || bytes.count > mostInflated, bytes.count > 1 {
            let middle = bytes.count / 2
            let begin = try seal(Array(bytes[..<middle]), of: service, for: order, from: first, isLast: false)
            return begin
                + (try seal(
                    Array(bytes[middle...]), of: service, for: order, from: first + begin.count, isLast: isLast))
        }
        let document = AccessPartDocument(request: order.request, service: service, index: first, isLast: isLast)
        let sealed = try RecipientSeal.seal(
            deflated, to: [UInt8](Data(base64Encoded: order.document.publicKey) ?? Data()), purpose: purpose,
            additional: additional(document))
        return [AccessPart(document: document, device: order.device, sealed: sealed)]
    }

    /// What was sealed.
    ///
    /// - Throws: `StorageError` `notAuthentic` if it is another's part, another part, or not sealed to this key; `WireError`.
    public static func open(_ sealed: [UInt8], _ document: AccessPartDocument, with privateKey: [UInt8]) throws
        -> [UInt8]
    {
        let deflated = try RecipientSeal.open(
            sealed, with: privateKey, purpose: purpose, additional: additional(document))
        return try Inflater.inflate(deflated, limit: mostInflated)
    }

    private static func additional(_ document: AccessPartDocument) -> [UInt8] {
        Array("\(document.key)/\(document.isLast ? "last" : "more")".utf8)
    }
}

extension AccessPart {
    /// Rows of kind `access_part`.
    static func columns(_ parts: [AccessPart]) throws -> Columns {
        var sealed: [UInt8] = [], ends: [UInt32] = []
        for part in parts {
            sealed += part.sealed
            ends.append(UInt32(sealed.count))
        }
        return Columns(
            rowCount: parts.count,
            columns: [
                Column(id: ColumnID.key, strings: parts.map { Array($0.document.key.utf8) }),
                Column(id: ColumnID.device, values: parts.map { Int64(bitPattern: $0.device) }),
                Column(id: ColumnID.document, strings: try parts.map { try SortedJSON.bytes(of: $0.document) }),
                Column(id: ColumnID.sealed, presence: .full(parts.count), bytes: sealed, ends: ends, isPlain: true),
            ])
    }

    /// Rows that say of keys that they are gone.
    public static func removals(of keys: [String]) -> Columns {
        Columns(rowCount: keys.count, columns: [Column(id: ColumnID.key, strings: keys.map { Array($0.utf8) })])
    }

    /// The parts of a block of kind `access_part`, with the numbers of their rows; removals are not among them.
    public static func all(of columns: Columns) throws -> [(row: Int, part: AccessPart)] {
        guard let sealed = columns[ColumnID.sealed], let devices = columns[ColumnID.device] else { return [] }
        return try columns.documents(AccessPartDocument.self).compactMap { row, document in
            guard let bytes = sealed.value(row), let device = devices.integer(row) else { return nil }
            return (row, AccessPart(document: document, device: UInt64(bitPattern: device), sealed: Array(bytes)))
        }
    }

    /// Rows of a block of kind `access_part` that stay when requests are over, ascending: those of others, and removals.
    static func kept(_ columns: Columns, without requests: Set<String>) -> [Int32] {
        let keys = columns[ColumnID.key], sealed = columns[ColumnID.sealed]
        return (0..<Int32(columns.rowCount)).filter { row in
            guard sealed?.presence[Int(row)] == true, let key = keys?.value(Int(row)) else { return true }
            return !requests.contains(AccessPartDocument.request(ofKey: String(decoding: key, as: UTF8.self)))
        }
    }
}
