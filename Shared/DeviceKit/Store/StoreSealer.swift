internal import Crypto
internal import Foundation

/// Encrypts what the store writes by AES-256-GCM with the key that the platform keeps: nonce 12, ciphertext, tag 16.
struct StoreSealer: Sendable {
    private let key: SymmetricKey

    /// - Parameter key: 32 bytes.
    init(key: [UInt8]) throws {
        guard key.count == 32 else { throw DeviceStoreError.badKey(bytes: key.count) }
        self.key = SymmetricKey(data: key)
    }

    /// - Parameter place: where it is kept; it opens nowhere else.
    func seal(_ clear: [UInt8], at place: String) throws -> [UInt8] {
        [UInt8](try AES.GCM.seal(clear, using: key, authenticating: Data(place.utf8)).combined ?? Data())
    }

    /// - Throws: ``DeviceStoreError/doesNotOpen(_:)`` for another key, another place or changed bytes.
    func open(_ sealed: [UInt8], at place: String) throws -> [UInt8] {
        do {
            return [UInt8](
                try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: Data(place.utf8)))
        } catch { throw DeviceStoreError.doesNotOpen(place) }
    }
}

/// Why the store cannot be used.
public enum DeviceStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A key has 32 bytes; this one has so many.
    case badKey(bytes: Int)
    /// What is kept there was not sealed with this key, or bytes were changed. A phone to which a backup was restored has another
    /// key: remove the file and begin anew.
    case doesNotOpen(String)
    /// A newer program has written the file.
    case newer(version: Int64)
    /// There is no space for it; nothing of it happened.
    case full
    /// The kit was stopped.
    case closed
    /// Any other error of SQLite, with its extended code.
    case sqlite(code: Int32, String)

    public var description: String {
        switch self {
        case .badKey(let bytes): "the key of the store has \(bytes) bytes, not 32"
        case .doesNotOpen(let place): "\(place) does not open with this key"
        case .newer(let version): "the store has version \(version), which is newer than this program"
        case .full: "no space is left for the store"
        case .closed: "the kit was stopped"
        case .sqlite(let code, let message): "the store: \(message) (SQLite \(code))"
        }
    }
}
