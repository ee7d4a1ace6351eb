internal import Models
internal import ServiceKit

/// One request to a provider, as its dialect words it.
struct ProviderRequest: Sendable, Equatable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    var method: Method
    /// With scheme and host.
    var url: String
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    /// A request with a JSON document.
    static func post(_ url: String, _ headers: [String: String], json: JSONValue) -> ProviderRequest {
        ProviderRequest(
            method: .post, url: url, headers: headers.merging(["Content-Type": "application/json"]) { $1 },
            body: Array(json.text.utf8))
    }

    static func get(_ url: String, _ headers: [String: String]) -> ProviderRequest {
        ProviderRequest(method: .get, url: url, headers: headers)
    }
}

/// What a provider answered.
struct ProviderResponse: Sendable, Equatable {
    let status: Int
    /// The body if it is JSON; nil if it is empty or anything else.
    let json: JSONValue?

    /// Why the provider does not listen to us now; nil if it does.
    var refusal: String? {
        switch status {
        case 401: "not authorized (401)"
        case 403: "not allowed (403)"
        case 429: "too many requests (429)"
        default: nil
        }
    }
}

/// Why a request brought no answer.
struct ProviderSilence: Error, Sendable, Equatable {
    /// In words without secrets or numbers.
    let reason: String
    /// True if nothing of the request can have reached the provider.
    let isUnsent: Bool
}

/// Carries requests to a provider. Called from many tasks at once.
protocol ProviderTransport: Sendable {
    func send(_ request: ProviderRequest) async throws(ProviderSilence) -> ProviderResponse

    /// Gives connections back.
    func close() async
}

/// How one provider writes orders, questions and answers. Pure; takes fields that it does not know, and misses none that it can
/// do without.
protocol ProviderDialect: Sendable {
    var name: String { get }
    var asking: [AskingMode] { get }
    /// Asks for a token that all other requests carry; nil if they need none.
    var tokenRequest: ProviderRequest? { get }

    /// The order; nil if the provider does not serve the recipient's operator.
    func order(_ call: ProviderCall, to recipient: PayoutNumber, token: String) -> ProviderRequest?
    func question(_ call: ProviderCall, token: String) -> ProviderRequest
    func floatRequest(token: String) -> ProviderRequest

    /// What an answer says of the order. Not called for 401, 403 and 429.
    func answer(toOrder call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer
    func answer(toQuestion call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer
    /// Whole XAF; nil if the answer does not say.
    func float(_ response: ProviderResponse) -> Int64?
}

extension ProviderDialect {
    /// What an answer to a call says. An order that the provider does not listen to is not taken; of one that is given again this
    /// says nothing, as it was perhaps taken before. A server that fell over has not answered, unless it says what became of it.
    func answer(to call: ProviderCall, _ response: ProviderResponse) -> ProviderAnswer {
        if let refusal = response.refusal { return call.purpose == .pay ? .notTaken(refusal) : .silent(refusal) }
        let answer = call.purpose.isOrder ? answer(toOrder: call, response) : answer(toQuestion: call, response)
        switch answer {
        case .notTaken(let words) where call.purpose != .pay: return .unknown(words)
        case .unfunded(let words, _) where call.purpose == .payAgain: return .unknown(words)
        case .unknown(let words) where response.status >= 500: return .silent(words)
        default: return answer
        }
    }
}
