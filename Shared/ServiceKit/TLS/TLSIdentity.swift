import Foundation
package import Models
import NIOCore
package import NIOSSL

/// A certificate with its key, ready for handshakes: TLS 1.3 and nothing older.
package struct TLSIdentity: Sendable {
    /// What connections are opened with.
    package let context: NIOSSLContext
    /// Hexadecimal digits, as `openssl x509 -serial` prints them.
    package let serial: String
    /// When the certificate becomes and ceases to be valid, Unix milliseconds.
    package let validFrom: UnixMilliseconds
    package let validUntil: UnixMilliseconds

    /// Reads and checks the files.
    ///
    /// - Throws: ``ServiceError`` of code `usage` that names the setting, the file and what is wrong with it.
    package init(_ files: TLSFiles) throws {
        let chain = try Self.certificates(files.certificate)
        let key = try Self.key(files)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .seconds(2)
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ServiceError(
                .usage, "NKUL_TLS_KEY: \(files.key) is not the key of the certificate in \(files.certificate)")
        }
        serial = chain[0].serialNumber.map { String(format: "%02X", $0) }.joined()
        validFrom = Int64(chain[0].notValidBefore) * 1_000
        validUntil = Int64(chain[0].notValidAfter) * 1_000
    }

    private static func certificates(_ path: String) throws -> [NIOSSLCertificate] {
        let text = try read(path, "NKUL_TLS_CERT")
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(text), !chain.isEmpty else {
            throw ServiceError(.usage, "NKUL_TLS_CERT: \(path) has no certificate in PEM form")
        }
        return chain
    }

    private static func key(_ files: TLSFiles) throws -> NIOSSLPrivateKey {
        let text = try read(files.key, "NKUL_TLS_KEY")
        guard !TLSStamp(files).isKeyOpenToAll else {
            throw ServiceError(
                .usage, "NKUL_TLS_KEY: everybody on this machine may read \(files.key); chmod o= \(files.key)")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: text, format: .pem) else {
            throw ServiceError(.usage, "NKUL_TLS_KEY: \(files.key) has no private key in PEM form without a passphrase")
        }
        return key
    }

    private static func read(_ path: String, _ setting: String) throws -> [UInt8] {
        do { return Array(try SmallFile.read(path).utf8) } catch let error as ServiceError {
            throw ServiceError(.usage, "\(setting): \(error.message)", errno: error.errno)
        }
    }
}
