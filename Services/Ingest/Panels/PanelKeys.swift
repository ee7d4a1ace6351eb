internal import Alarms
internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import ServiceKit
internal import Storage

/// The keys of accounts whose panels encrypt, from a file that only its owner may read: `{"1234":"<32, 48 or 64 hexadecimal digits>"}`.
///
/// AES in CBC mode from an initial vector of zeros, as DC-09 has it. What it is worth is the panels' matter; a message is told from
/// an older one by its time.
package struct PanelKeys: Sendable {
    private let keys: [String: SymmetricKey]

    /// No account has one.
    package static let none = PanelKeys(symmetric: [:])

    private init(symmetric keys: [String: SymmetricKey]) { self.keys = keys }

    init(_ keys: [String: [UInt8]]) {
        self.init(symmetric: keys.mapValues { SymmetricKey(data: $0) })
    }

    /// - Throws: `ServiceError` naming the file, and the account at fault.
    package init(file: String) throws {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            let bytes = FileManager.default.contents(atPath: file)
        else { throw ServiceError(.usage, "NKUL_INGEST_DC09_KEYS: \(file) cannot be read") }
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw ServiceError(.usage, "NKUL_INGEST_DC09_KEYS: others may access \(file); chmod go= it")
        }
        guard let texts = try? JSONDecoder().decode([String: String].self, from: bytes) else {
            throw ServiceError(.usage, "NKUL_INGEST_DC09_KEYS: \(file) is not a JSON object of accounts and keys")
        }
        var keys: [String: SymmetricKey] = [:]
        for (account, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard PanelZone.isAccount(account) else {
                throw ServiceError(
                    .usage,
                    "NKUL_INGEST_DC09_KEYS: \(file): \"\(account.prefix(64))\" is not an account:"
                        + " 3…16 hexadecimal digits, without #")
            }
            guard keys[account.uppercased()] == nil else {
                throw ServiceError(
                    .usage,
                    "NKUL_INGEST_DC09_KEYS: \(file): the account \(account.uppercased()) has two keys, in upper and in"
                        + " lower case; one is allowed")
            }
            guard let key = Self.bytes(text), [16, 24, 32].contains(key.count) else {
                throw ServiceError(
                    .usage,
                    "NKUL_INGEST_DC09_KEYS: \(file): the key of \(account) is not 32, 48 or 64 hexadecimal digits")
            }
            keys[account.uppercased()] = SymmetricKey(data: key)
        }
        self.init(symmetric: keys)
    }

    func has(_ account: String) -> Bool { keys[account] != nil }

    /// The content of an encrypted message, behind its padding; nil if it is not encrypted with the account's key.
    func open(_ content: [UInt8], of account: String) -> [UInt8]? {
        guard let key = keys[account], content.count >= 32, content.count % 32 == 0,
            let bytes = Self.bytes(String(decoding: content, as: UTF8.self)),
            let plain = try? AES._CBC.decrypt(bytes, using: key, iv: Self.zeros, noPadding: true)
        else { return nil }
        let text = [UInt8](plain)
        guard let bar = text.firstIndex(of: UInt8(ascii: "|")) else { return nil }
        return Array(text[(bar + 1)...])
    }

    /// A content as it is sent, in hexadecimal digits; nil if the account has no key.
    ///
    /// - Parameter random: for the padding, which stands before the first bar.
    func seal(_ content: String, of account: String, random: () -> UInt8) -> String? {
        guard let key = keys[account] else { return nil }
        let length = content.utf8.count + 1
        let padding = (0..<(15 - (length + 15) % 16)).map { _ in UInt8(ascii: "A") + random() % 26 }
        let sealed = try? AES._CBC.encrypt(
            padding + Array("|\(content)".utf8), using: key, iv: Self.zeros, noPadding: true)
        return sealed.map { $0.map { DC09Frame.hex(Int($0), 2) }.joined() }
    }

    /// Only another number of bytes than 16 is refused.
    private static var zeros: AES._CBC.IV { try! AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16)) }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = DC09Frame.digit(digits[place]), let low = DC09Frame.digit(digits[place + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
