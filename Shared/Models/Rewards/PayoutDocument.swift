/// The document of a record of kind `payout`: where a device's rewards go from now on, for the reward dispatcher's eyes only.
public struct PayoutDocument: Codable, Sendable, Hashable {
    /// Which of the dispatcher's keys it is sealed to (``PayoutKeyDocument/id``).
    public var key: String?
    /// A ``PayoutNumber`` as JSON, sealed and in base64; nil: the number is withdrawn.
    public var sealed: String?

    public init(key: String?, sealed: String?) {
        self.key = key
        self.sealed = sealed
    }

    /// What HPKE calls `info`.
    public static let purpose = "nkul-payout-1"

    /// What a sealed number is bound to: it opens only for the device that sent it.
    public static func additional(device: UInt64) -> [UInt8] { withUnsafeBytes(of: device.bigEndian) { Array($0) } }
}
