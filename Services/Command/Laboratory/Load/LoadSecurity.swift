import Foundation
import NIOCore
import NIOSSL
import ServiceKit

/// TLS of a pool's connections: who is believed to be the service, and what it means if somebody is not.
struct LoadSecurity: Sendable {
    private let context: NIOSSLContext
    private let address: HostPort
    /// Nil for an IP address, which no server is asked for by its name; the certificate must be for it all the same.
    private let serverName: String?

    /// - Parameters:
    ///   - address: the certificate must be for its host.
    ///   - authorities: PEM file with certificates of those who may sign it; nil: those whom the system trusts.
    /// - Throws: ``ServiceError`` of code `usage` that names the file and what is wrong with it.
    init(_ address: HostPort, authorities: String?) throws {
        self.address = address
        serverName = (try? SocketAddress(ipAddress: address.host, port: address.port)) == nil ? address.host : nil
        var configuration = TLSConfiguration.makeClientConfiguration()
        // The services speak 1.3; a proxy before them may be older.
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        if let authorities { configuration.trustRoots = .certificates(try Self.certificates(authorities)) }
        do { context = try NIOSSLContext(configuration: configuration) } catch {
            throw ServiceError(.failed, "TLS cannot be set up: \(error)")
        }
    }

    /// The first handler of a connection.
    func handler() throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: serverName)
    }

    /// What an error says that comes again however often it is tried; nil for every other.
    func refusal(_ error: any Error) -> LoadFailure? {
        if (error as? NIOSSLExtraError) == .failedToValidateHostname {
            return .insecure(
                "the certificate of \(address) is not for \(address.host): name the host as its certificate does, "
                    + "--url https://NAME:\(address.port)")
        }
        guard case .handshakeFailed(let cause) = error as? NIOSSLError else { return nil }
        let text = "\(cause)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return .insecure(
                "the certificate of \(address) is not trusted: it has ended, or nobody who is trusted has signed it; "
                    + "--ca FILE names the certificate (PEM) of who has")
        }
        if text.contains("WRONG_VERSION_NUMBER") {
            return .insecure("\(address) does not speak TLS: --url http://\(address)")
        }
        return nil
    }

    private static func certificates(_ path: String) throws -> [NIOSSLCertificate] {
        guard let text = FileManager.default.contents(atPath: path) else {
            throw ServiceError(.usage, "--ca: cannot read \(path)")
        }
        guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(text)), !found.isEmpty else {
            throw ServiceError(.usage, "--ca: \(path) has no certificate in PEM form")
        }
        return found
    }
}
