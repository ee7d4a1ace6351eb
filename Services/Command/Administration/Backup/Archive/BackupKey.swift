import Foundation
import Models
import ServiceKit
import Storage

/// The two halves of a backup's key as people handle them. One text each, one line:
///
///     identity    nkul-backup-identity-1 <private key, 64 hexadecimal digits>     opens backups; in a file of mode 0600
///     recipient   nkul-backup-recipient-1:<public key, 130 hexadecimal digits>    makes them; no secret
enum BackupKey {
    private static let identityMark = "nkul-backup-identity-1 "
    private static let recipientMark = "nkul-backup-recipient-1:"

    /// A new pair.
    static func make() throws -> (identity: String, recipient: String) {
        let key = RecipientSeal.newKey()
        return (identityMark + Hexadecimal.text(key), try recipient(of: key))
    }

    /// The recipient's text for a private key.
    static func recipient(of identity: [UInt8]) throws -> String {
        recipientMark + Hexadecimal.text(try RecipientSeal.publicKey(of: identity))
    }

    /// Writes the identity into a file that must not exist, 0600.
    static func write(identity: String, to path: String) throws { try SmallFile.write(identity + "\n", to: path) }

    /// The private key in a file.
    ///
    /// - Throws: `ServiceError` naming the file: it is missing, others may read it, it is no identity.
    static func identity(at path: String) throws -> [UInt8] {
        guard let bytes = try KeyStore.existing(at: path) else {
            throw ServiceError(.usage, "--identity: there is no file \(path)")
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.hasPrefix(identityMark), let key = Hexadecimal.bytes(String(text.dropFirst(identityMark.count))),
            (try? RecipientSeal.publicKey(of: key)) != nil
        else { throw ServiceError(.usage, "--identity: \(path) is not what \"nkul backup key\" wrote") }
        return key
    }

    /// The public key that a text names, or the text in a file.
    ///
    /// - Throws: `ServiceError` of code `usage`.
    static func recipient(_ argument: String) throws -> [UInt8] {
        let isFile = !argument.hasPrefix(recipientMark)
        let text = isFile ? (try SmallFile.read(argument)).trimmingCharacters(in: .whitespacesAndNewlines) : argument
        guard text.hasPrefix(recipientMark), let key = Hexadecimal.bytes(String(text.dropFirst(recipientMark.count))),
            (try? SealingStream(to: key, purpose: BackupArchive.purpose)) != nil
        else {
            throw ServiceError(
                .usage, "--to: \"\(text.prefix(40))\" is no recipient; \"nkul backup key\" prints one")
        }
        return key
    }
}
