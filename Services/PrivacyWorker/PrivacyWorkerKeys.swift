internal import ServiceKit
internal import Storage
internal import SubjectRights

/// The privacy worker's files in `keys/`.
struct PrivacyWorkerKeys {
    let audit: AuditKeys
    /// Seals the blocks of the privacy lane.
    let blocks: BlockSealer
    /// Signs receipts of erasures.
    let receipts: ReceiptKey

    /// Reads the keys; makes them only if nothing was kept yet. A new one beside an old log would pass for its own.
    ///
    /// - Throws: `StorageError` `badKey` naming the file.
    init(_ store: KeyStore, isBegun: Bool) throws {
        let service = ServiceName.privacyWorker.rawValue
        if isBegun {
            for name in [AuditKeys.signingName, AuditKeys.subjectsName, "\(service).key"] {
                guard try store.existing(name) == nil else { continue }
                throw StorageError(
                    .badKey, path: store.path(name),
                    message: "is missing, and is not made anew where there is a log: put it back from a copy")
            }
        }
        audit = try AuditKeys(store)
        blocks = try store.blockSealer(service: service)
        receipts = try ReceiptKey(store, service: service)
    }
}
