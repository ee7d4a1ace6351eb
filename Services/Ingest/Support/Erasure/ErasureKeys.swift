public import Storage
package import SubjectRights

/// Ingest's secrets for erasures.
public struct ErasureKeys: Sendable {
    package let suppression: SuppressionKey
    package let receipts: ReceiptKey

    /// Reads the keys, or makes them.
    ///
    /// - Throws: `StorageError` `badKey` naming the file.
    public init(_ store: KeyStore) throws {
        suppression = try SuppressionKey(store)
        receipts = try ReceiptKey(store, service: "ingest")
    }

    /// - Parameter secret: 32 bytes, for both; for tests and simulations.
    public init(secret: [UInt8]) {
        suppression = SuppressionKey(secret: secret)
        receipts = ReceiptKey(secret: secret, service: "ingest")
    }
}
