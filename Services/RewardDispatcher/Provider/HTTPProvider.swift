internal import Models
internal import ServiceKit

/// A provider that is spoken to over HTTP, in its dialect.
///
/// What certainly did not reach it, or was refused for a reason that is not the order's own (401, 403, 429), was not taken;
/// everything else that is not understood is unknown. Free words of the provider are masked.
final class HTTPProvider: RewardProvider {
    let name: String
    let asking: [AskingMode]
    private let dialect: any ProviderDialect
    private let transport: any ProviderTransport
    private let tokens: AccessTokens

    init(_ dialect: any ProviderDialect, _ transport: any ProviderTransport) {
        name = dialect.name
        asking = dialect.asking
        self.dialect = dialect
        self.transport = transport
        tokens = AccessTokens(dialect, transport)
    }

    func pay(_ call: ProviderCall) async -> ProviderAnswer {
        guard let recipient = call.recipient else { return .notTaken("there is no number to pay to") }
        do {
            let token = try await tokens.current()
            guard let order = dialect.order(call, to: recipient, token: token) else {
                return .rejected("\(name) does not serve operator \(recipient.operator)")
            }
            let response = try await transport.send(order)
            if response.status == 401 { await tokens.forget(token) }
            return dialect.answer(to: call, response).masked
        } catch {
            return error.isUnsent && call.purpose == .pay ? .notTaken(error.reason) : .silent(error.reason)
        }
    }

    func ask(_ call: ProviderCall) async -> ProviderAnswer {
        do {
            let token = try await tokens.current()
            let response = try await transport.send(dialect.question(call, token: token))
            if response.status == 401 { await tokens.forget(token) }
            return dialect.answer(to: call, response).masked
        } catch {
            return .silent(error.reason)
        }
    }

    func float() async throws -> Int64? {
        let token = try await tokens.current()
        let response = try await transport.send(dialect.floatRequest(token: token))
        if response.status == 401 { await tokens.forget(token) }
        if let refusal = response.refusal { throw ProviderSilence(reason: refusal, isUnsent: false) }
        return dialect.float(response)
    }

    func close() async { await transport.close() }
}

/// The token that requests carry, renewed a minute before it ends, or when the provider does not take it any more.
actor AccessTokens {
    /// Before its end a token is renewed.
    private static let margin: Duration = .seconds(60)

    private let dialect: any ProviderDialect
    private let transport: any ProviderTransport
    private let clock = ContinuousClock()
    private var token: (text: String, until: ContinuousClock.Instant)?
    private var renewal: Task<Result<String, ProviderSilence>, Never>?

    init(_ dialect: any ProviderDialect, _ transport: any ProviderTransport) {
        self.dialect = dialect
        self.transport = transport
    }

    /// - Throws: that nothing was sent, if there is no token.
    func current() async throws(ProviderSilence) -> String {
        guard let request = dialect.tokenRequest else { return "" }
        if let token, clock.now < token.until { return token.text }
        // Of many that need one at once, one asks.
        let task = renewal ?? Task { await renew(request) }
        renewal = task
        return try await task.value.get()
    }

    /// The provider has refused a token; another one may have taken its place already.
    func forget(_ refused: String) { if token?.text == refused { token = nil } }

    private func renew(_ request: ProviderRequest) async -> Result<String, ProviderSilence> {
        defer { renewal = nil }
        do {
            let response = try await transport.send(request)
            guard (200..<300).contains(response.status), let text = response.json?["access_token"]?.string else {
                return .failure(ProviderSilence(reason: "no token: answered \(response.status)", isUnsent: true))
            }
            let seconds = response.json?["expires_in"]?.wholeNumber ?? 300
            token = (text, clock.now + max(.seconds(seconds) - Self.margin, .seconds(seconds) / 2))
            return .success(text)
        } catch {
            return .failure(ProviderSilence(reason: "no token: \(error.reason)", isUnsent: true))
        }
    }
}

extension JSONValue {
    /// A whole number, however it is written: `50`, `50.0`, `"50"`, `"50.0000"`.
    var wholeNumber: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value.rounded(.towardZero))
        case .string(let text): Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        default: nil
        }
    }

    /// A name of the provider's, which may be a number.
    var name: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .integer(let value): String(value)
        default: nil
        }
    }
}
