internal import Crypto
internal import ExporterStores
internal import ExporterSupport
internal import Storage

/// The exporter's secrets in `keys/`, each made on first use.
struct ExporterKeys {
    /// The regulator's token; only its digest stays in memory.
    let token: SecretDigest
    /// Key of the pseudonyms of devices.
    let pseudonyms: SymmetricKey
    /// Key that signs lists of exports.
    let exports: ExportKey

    /// - Throws: ``StorageError`` naming the file, if its permissions, owner or content are not right.
    init(_ store: KeyStore) throws {
        let text = String(
            decoding: try store.secret(Regulator.tokenFile) { Array(Secret.text().utf8) + [0x0A] }, as: UTF8.self)
        let trimmed = text.filter { !$0.isWhitespace }
        guard trimmed.utf8.count >= 43 else {
            throw StorageError(
                .badKey, path: store.path(Regulator.tokenFile),
                message: "holds fewer than 43 characters; 256 random bits are needed")
        }
        token = SecretDigest(of: trimmed)
        pseudonyms = SymmetricKey(data: try store.secret("analytics-exporter.pseudonyms") { Secret.random() })
        exports = try ExportKey(store)
    }
}
