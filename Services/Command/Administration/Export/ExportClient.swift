import AsyncHTTPClient
import Foundation
import Models
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceKit

/// Asks the operators' API for exports, with the token of a contact. Usable from any thread.
struct ExportClient: Sendable {
    /// What a file is answered with.
    enum Answer {
        /// The bytes from an offset on.
        case bytes(from: Int64, HTTPClientResponse.Body)
        /// It is made anew at the moment.
        case rewriting
        /// It went since it was listed.
        case gone
        /// There is nothing from that offset on.
        case outOfRange
    }

    /// What a problem document says; nil if a body is none.
    private struct Problem: Decodable {
        let code: String?
        let detail: String?

        init?(_ body: String) {
            guard let problem = try? JSONDecoder().decode(Self.self, from: Data(body.utf8)) else { return nil }
            self = problem
        }
    }

    /// `http://127.0.0.1:8090`, without a path.
    let base: String
    private let token: String
    private let client: HTTPClient

    /// Bytes of the largest list that is taken: a thousand files.
    private static let longestList = 8 << 20

    /// - Parameters:
    ///   - base: `http://host:port` or `https://host:port`.
    ///   - authorities: PEM file of whom is trusted over https; nil: whom the system trusts.
    /// - Throws: `ServiceError` of code `usage`.
    init(base: String, token: String, authorities: String?) throws {
        let plain = base.hasSuffix("/") ? String(base.dropLast()) : base
        guard let url = URL(string: plain), url.scheme == "http" || url.scheme == "https", url.host != nil,
            url.path.isEmpty, url.query == nil
        else { throw ServiceError(.usage, "--url \(base): expected http://host:port or https://host:port") }
        (self.base, self.token) = (plain, token)
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: .seconds(60)),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        if let authorities {
            guard url.scheme == "https" else { throw ServiceError(.usage, "--ca: \(plain) is clear text") }
            var security = TLSConfiguration.makeClientConfiguration()
            do {
                security.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities))
            } catch { throw ServiceError(.usage, "--ca \(authorities): \(error)") }
            configuration.tlsConfiguration = security
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func shutdown() async { try? await client.shutdown() }

    /// A page of the signed list.
    ///
    /// - Parameter query: names and values.
    /// - Throws: `ServiceError` with what was answered.
    func list(_ query: [(name: String, value: String)]) async throws -> String {
        let text = query.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: "&")
        let response = try await answer("/v1/exports.jws" + (text.isEmpty ? "" : "?" + text))
        let body = try await body(of: response, limit: Self.longestList)
        guard response.status == .ok else { throw refused(response, body) }
        return body
    }

    /// A file, from an offset on if it still has those bytes.
    ///
    /// - Throws: `ServiceError` with what was answered.
    func file(_ name: String, from offset: Int64, sha256: String) async throws -> Answer {
        let headers = offset > 0 ? [("Range", "bytes=\(offset)-"), ("If-Range", "\"\(sha256)\"")] : []
        let response = try await answer("/v1/exports/" + name, headers)
        switch response.status {
        case .ok: return .bytes(from: 0, response.body)
        case .partialContent: return .bytes(from: offset, response.body)
        case .rangeNotSatisfiable: return .outOfRange
        default:
            let body = try await body(of: response, limit: 64 << 10)
            if Problem(body)?.code == "export_rewriting" { return .rewriting }
            if response.status == .notFound { return .gone }
            throw refused(response, body)
        }
    }

    /// The public keys at an address, without a token.
    static func keys(at address: String) async throws -> Data {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: .seconds(60)))
        configuration.httpVersion = .http1Only
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<Data, any Error>
        do {
            let response = try await client.execute(HTTPClientRequest(url: address), timeout: .seconds(60))
            guard response.status == .ok else {
                throw ServiceError(.failed, "\(address) answered \(response.status.code)")
            }
            result = .success(Data((try await response.body.collect(upTo: longestList)).readableBytesView))
        } catch let error as ServiceError {
            result = .failure(error)
        } catch { result = .failure(ServiceError(.failed, "no answer from \(address): \(error)")) }
        try? await client.shutdown()
        return try result.get()
    }

    private func answer(_ path: String, _ headers: [(String, String)] = []) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: base + path)
        request.headers = HTTPHeaders(
            [("Authorization", "Bearer \(token)"), ("User-Agent", "nkul-export")] + headers)
        do { return try await client.execute(request, deadline: .distantFuture) } catch is CancellationError {
            throw CancellationError()
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw ServiceError(.failed, "no answer from \(base): \(error)")
        }
    }

    private func body(of response: HTTPClientResponse, limit: Int) async throws -> String {
        do { return String(buffer: try await response.body.collect(upTo: limit)) } catch {
            if Task.isCancelled { throw CancellationError() }
            throw ServiceError(.failed, "\(base) answered more than \(limit) bytes, or broke off: \(error)")
        }
    }

    /// What a problem document says, or that there was none.
    private func refused(_ response: HTTPClientResponse, _ body: String) -> ServiceError {
        let problem = Problem(body)
        let words = [problem?.code, problem?.detail].compactMap(\.self).joined(separator: ": ")
        return ServiceError(.failed, "\(base) answered \(response.status.code)" + (words.isEmpty ? "" : ", \(words)"))
    }

    private static func escaped(_ value: String) -> String {
        value.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._")))
            ?? ""
    }
}
