internal import Foundation
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
