internal import Crypto
internal import Foundation

/// The three kinds of releases. Each counts devices of its own, so that no figure of one can be subtracted from another's.
public enum ReleaseClass: UInt8, Sendable, CaseIterable {
    /// Of a network and an hour, an hour after its end: a quarter of the devices.
    case provisional = 0
    /// Of a network and a day, by hour and technology, when the day is sealed: another quarter.
    case technology = 1
    /// Of a network and a day, when the day is sealed: the other half.
    case final = 2

    /// Name in documents and queries.
    public var name: String {
        switch self {
        case .provisional: "provisional"
        case .technology: "technology"
        case .final: "final"
        }
    }

    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

/// Which devices count for which releases of a day: a secret hash, another one each day.
///
/// The key of a day is HMAC-SHA-256(root, day), and the class of a device follows from the first byte of HMAC-SHA-256(key, device).
/// Who does not have the root cannot choose a class for a phone, nor tell that of another's.
public struct DeviceClasses: Sendable {
    private let key: SymmetricKey

    /// - Parameters:
    ///   - root: the secret of the home, 32 bytes.
    ///   - day: the begin of a local day, Unix seconds.
    public init(root: [UInt8], day: Int64) {
        let code = HMAC<SHA256>.authenticationCode(
            for: withUnsafeBytes(of: day.littleEndian) { Data($0) }, using: SymmetricKey(data: root))
        key = SymmetricKey(data: Data(code))
    }

    /// The one class that a device counts for on this day.
    public func of(_ device: UInt32) -> ReleaseClass {
        var hash = HMAC<SHA256>(key: key)
        withUnsafeBytes(of: device.littleEndian) { hash.update(data: $0) }
        switch hash.finalize().withUnsafeBytes({ $0[0] }) {
        case 0..<64: return .provisional
        case 64..<128: return .technology
        default: return .final
        }
    }
}
