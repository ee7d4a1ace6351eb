internal import Crypto
internal import Foundation
internal import IngestUploads
internal import RawStructuredFieldValues

/// The hash of a body as `Content-Digest` says it (RFC 9530): `sha-256=:…:`, `sha-512=:…:`.
enum ContentDigest {
    /// Checks that the field is that of the body. Algorithms that are not known here are passed over; one must be known.
    ///
    /// - Throws: ``DeviceAPIError`` 403 `signature_invalid` with field `Content-Digest`.
    static func check(_ field: String, _ body: [UInt8]) throws(DeviceAPIError) {
        var parser = StructuredFieldValueParser(Array(field.utf8))
        guard let digests = try? parser.parseDictionaryFieldValue() else { throw .badDigest("it is not read") }
        var known = 0
        for (name, hash): (String, () -> [UInt8]) in [
            ("sha-256", { Array(SHA256.hash(data: body)) }), ("sha-512", { Array(SHA512.hash(data: body)) }),
        ] {
            guard case .item(let item)? = digests[name], case .undecodedByteSequence(let text) = item.rfc9651BareItem
            else { continue }
            known += 1
            guard let data = Data(base64Encoded: text), [UInt8](data) == hash() else {
                throw .badDigest("it is not the \(name) of the body")
            }
        }
        guard known > 0 else { throw .badDigest("expected sha-256 or sha-512") }
    }
}
