internal import Foundation
internal import IngestSupport
public import IngestUploads
public import Models
internal import Storage

/// A payout number that is to replace a device's, sealed already: what is committed tells nobody but the dispatcher.
public struct PayoutChange: Sendable, Equatable {
    /// The device's ordinal.
    let device: UInt64
    /// When its request was signed, Unix seconds; nil if the device has no key.
    let signedAt: Int64?
    let document: PayoutDocument

    /// Clear bytes have one length, whatever number they hold.
    private static let paddedBytes = 96

    /// Seals a number.
    ///
    /// - Throws: `StorageError` if the key is none.
    public init(_ number: PayoutNumber, of device: UInt64, to key: PayoutKeyDocument, signedAt: Int64?) throws {
        var clear = [UInt8](try JSONEncoder().encode(number))
        clear += [UInt8](repeating: UInt8(ascii: " "), count: max(0, Self.paddedBytes - clear.count))
        let sealed = try RecipientSeal.seal(
            clear, to: [UInt8](Data(base64Encoded: key.publicKey) ?? Data()), purpose: PayoutDocument.purpose,
            additional: PayoutDocument.additional(device: device))
        self.device = device
        self.signedAt = signedAt
        document = PayoutDocument(key: key.id, sealed: Data(sealed).base64EncodedString())
    }
}

extension PayoutChange: IngestCommand {
    public static var stage: CommandStage { .paying }

    /// Takes the number, by the consent as it stands now: a number is refused without consent to rewards and withdrawn with it.
    ///
    /// - Returns: when it was taken.
    public func apply(in commit: inout CommandCommit) throws -> Result<UnixMilliseconds, DeviceAPIError> {
        if let problem = commit.gate.refusal(of: device) { return .failure(problem) }
        guard !commit.isFull else { return .failure(.full(.requests)) }
        guard let state = try commit.store.consent(of: device) else {
            return .failure(.unauthorized("nobody has this token"))
        }
        guard state.identity.consent.contains(.rewards) else { return .failure(.noRewardsConsent) }
        if let signedAt {
            guard try commit.store.takeSignature(of: device, madeAt: signedAt) else {
                return .failure(.signatureReplayed)
            }
        }
        try commit.store.beginPayout(of: device, at: commit.now)
        try commit.tell(.payout, of: device, document)
        return .success(commit.now)
    }
}

extension CommandCommit {
    /// Forgets the number of a device, if it ever gave one, and has the dispatcher forget it.
    mutating func withdrawPayout(of device: UInt64) throws {
        guard try store.endPayout(of: device) else { return }
        try tell(.payout, of: device, PayoutDocument(key: nil, sealed: nil))
    }
}
