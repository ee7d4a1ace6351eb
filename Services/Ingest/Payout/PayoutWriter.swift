internal import Models
internal import Wire

/// Payout numbers in the transaction of a commit, and what the requests lane is told of them. Confined to one transaction.
///
/// A number is refused without consent to rewards and withdrawn with it: then the dispatcher is told to forget it.
struct PayoutWriter {
    private let store: IngestStore
    private let now: UnixMilliseconds
    private let isFull: Bool
    private var rows = RequestRows()

    init(_ store: IngestStore, now: UnixMilliseconds, isFull: Bool) {
        self.store = store
        self.now = now
        self.isFull = isFull
    }

    /// Forgets the number of a device, if it ever gave one.
    mutating func withdraw(_ device: UInt64) throws {
        guard try store.endPayout(of: device) else { return }
        try rows.append(device, PayoutDocument(key: nil, sealed: nil))
    }

    /// Takes a number, by the consent as it stands now.
    ///
    /// - Returns: when it was taken.
    mutating func put(_ change: PayoutChange) throws -> Result<UnixMilliseconds, Problem> {
        guard !isFull else { return .failure(.full(.requests)) }
        guard let state = try store.consent(of: change.device) else {
            return .failure(.unauthorized("nobody has this token"))
        }
        guard state.identity.consent.contains(.rewards) else { return .failure(.noRewardsConsent) }
        if let signedAt = change.signedAt {
            guard try store.takeSignature(of: change.device, madeAt: signedAt) else {
                return .failure(.signatureReplayed)
            }
        }
        try store.beginPayout(of: change.device, at: now)
        try rows.append(change.device, change.document)
        return .success(now)
    }

    /// What the requests lane is told, nil if there is nothing to tell.
    var columns: Columns? { rows.isEmpty ? nil : rows.columns(now) }
}
