internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import ServiceKit

/// Carries requests to a provider over HTTP/1.1 and TLS: connections are kept, redirects not followed, answers bounded.
final class HTTPTransport: ProviderTransport {
    /// Longest answer that is read; providers send a few hundred bytes.
    private static let mostBytes = 262_144

    private let client: HTTPClient
    private let timeout: TimeAmount

    /// How long a request may take of a call that may take so long: less, so that a call that certainly was not made is told as such
    /// before it is given up.
    static func timeout(within call: Duration) -> Duration { call * 9 / 10 }

    /// - Parameters:
    ///   - timeout: longest that a request may take; see ``timeout(within:)``.
    ///   - authorities: a file of certificates (PEM) instead of the system's.
    /// - Throws: `ServiceError` of code `usage` if there is no such file.
    init(timeout: Duration, authorities: String?) throws {
        self.timeout = .nanoseconds(Int64(timeout / .nanoseconds(1)))
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(self.timeout.nanoseconds / 2), read: self.timeout),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        // The dispatcher tries again itself, and has to know what was sent.
        configuration.connectionPool.retryConnectionEstablishment = false
        if let authorities {
            guard FileManager.default.isReadableFile(atPath: authorities) else {
                throw ServiceError(.usage, "NKUL_REWARD_DISPATCHER_PROVIDER_CA: there is no file \(authorities)")
            }
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authorities)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func send(_ request: ProviderRequest) async throws(ProviderSilence) -> ProviderResponse {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = request.method == .get ? .GET : .POST
        outgoing.headers = HTTPHeaders(request.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        outgoing.headers.add(name: "User-Agent", value: "nkul-reward-dispatcher")
        if request.method == .post { outgoing.body = .bytes(request.body) }
        do {
            let response = try await client.execute(outgoing, timeout: timeout)
            let body = try await response.body.collect(upTo: Self.mostBytes)
            return ProviderResponse(
                status: Int(response.status.code),
                json: try? JSONDecoder().decode(JSONValue.self, from: Data(body.readableBytesView)))
        } catch {
            throw ProviderSilence(reason: Self.words(of: error), isUnsent: Self.isUnsent(error))
        }
    }

    func close() async { try? await client.shutdown() }

    /// True if there was no connection to write to.
    private static func isUnsent(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError:
            [.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout].contains(error)
        case is NIOConnectionError: true
        // A host that is given by its address.
        case let error as IOError: [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode)
        case NIOSSLError.handshakeFailed: true
        default: false
        }
    }

    private static func words(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: "no answer: \(error.shortDescription)"
        case is NIOConnectionError: "no connection"
        case let error as IOError: "no connection (errno \(error.errnoCode))"
        default: "no answer: \(type(of: error))"
        }
    }
}
