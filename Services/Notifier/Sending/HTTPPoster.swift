internal import AsyncHTTPClient
package import Channels
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
package import NotifierMessages
package import Models

/// Posts messages: each over a connection of its own to the address that was checked for it, without redirects, within a time.
package struct HTTPPoster: Sendable {
    private let resolver: any TargetResolver
    private let policy: AddressPolicy
    private let timeout: Duration
    private let clock: @Sendable () -> UnixMilliseconds

    package init(
        _ resolver: any TargetResolver, _ policy: AddressPolicy, timeout: Duration,
        clock: @escaping @Sendable () -> UnixMilliseconds
    ) {
        self.resolver = resolver
        self.policy = policy
        self.timeout = timeout
        self.clock = clock
    }

    /// - Parameter attempts: tries before this one.
    package func post(_ message: HTTPMessage, attempts: Int64) async -> SendAnswer {
        do {
            let address = try await message.url.checkedAddress(resolver, policy, attempt: attempts)
            return try await post(message, to: address)
        } catch let error as TargetError {
            return .failed(error.description)
        } catch {
            return .failed("no answer: \(Self.words(of: error))")
        }
    }

    private func post(_ message: HTTPMessage, to address: IPAddress) async throws -> SendAnswer {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(timeout.nanoseconds), read: .nanoseconds(timeout.nanoseconds)),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        // The outbox tries again, and looks the name up again then.
        configuration.connectionPool.retryConnectionEstablishment = false
        if IPAddress(text: message.url.host) == nil {
            configuration.dnsOverride = [message.url.host: address.description]
        }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<SendAnswer, any Error>
        do { result = .success(try await answer(of: client, to: message)) } catch { result = .failure(error) }
        try? await client.shutdown()
        return try result.get()
    }

    private func answer(of client: HTTPClient, to message: HTTPMessage) async throws -> SendAnswer {
        var request = HTTPClientRequest(url: message.url.requestText)
        request.method = .POST
        request.headers = HTTPHeaders(message.headers.map { ($0.name, $0.value) })
        request.headers.add(name: "User-Agent", value: "nkul-notifier")
        request.body = .bytes(message.body)
        // What is in the answer's body is of no interest, however much it is: the connection ends with the head.
        let response = try await client.execute(request, timeout: .nanoseconds(timeout.nanoseconds))
        let code = response.status.code
        switch code {
        case 200..<300: return .delivered
        case 300..<400: return .failed("answered \(code): redirects are not followed")
        case 404, 410: return message.header("TTL") == nil ? .failed("answered \(code)") : .gone("answered \(code)")
        default:
            return .failed(
                "answered \(code)",
                retryAfter: RetryAfter.milliseconds(response.headers.first(name: "Retry-After"), now: clock()))
        }
    }

    private static func words(of error: any Error) -> String {
        let text = (error as? HTTPClientError).map { "\($0.shortDescription)" } ?? "\(error)"
        return String(text.prefix(200))
    }
}

/// The header `Retry-After`: seconds, or a date of HTTP.
package enum RetryAfter {
    /// Longest that is believed.
    static let most: UnixMilliseconds = 3_600_000

    package static func milliseconds(_ text: String?, now: UnixMilliseconds) -> UnixMilliseconds? {
        guard let text = text?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return min(seconds, most / 1_000) * 1_000 }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard let date = format.date(from: text) else { return nil }
        return min(max(Int64(date.timeIntervalSince1970 * 1_000) - now, 0), most)
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
