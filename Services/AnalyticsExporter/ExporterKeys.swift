internal import Crypto
internal import Storage

/// The exporter's secrets in `keys/`, each made on first use.
struct ExporterKeys {
    /// The regulator's token; only its digest stays in memory.
    let token: SecretDigest
    /// Key of the pseudonyms of devices.
    let pseudonyms: SymmetricKey

    /// - Throws: ``StorageError`` naming the file, if its permissions, owner or content are not right.
    init(_ store: KeyStore) throws {
        let text = String(decoding: try store.secret(Regulator.tokenFile) { Self.newToken() }, as: UTF8.self)
        let trimmed = text.filter { !$0.isWhitespace }
        guard trimmed.utf8.count >= 43 else {
            throw StorageError(
                .badKey, path: store.path(Regulator.tokenFile),
                message: "holds fewer than 43 characters; 256 random bits are needed")
        }
        token = SecretDigest(of: trimmed)
        pseudonyms = SymmetricKey(data: try store.secret("analytics-exporter.pseudonyms") { Self.random() })
    }

    /// 256 random bits in hexadecimal, and a line end.
    private static func newToken() -> [UInt8] {
        random().flatMap { [JSONText.hexadecimal($0 >> 4), JSONText.hexadecimal($0 & 15)] } + [0x0A]
    }

    private static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
    }
}
