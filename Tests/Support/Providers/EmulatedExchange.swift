public import Foundation

/// A request as a provider receives it.
public struct EmulatedRequest: Sendable {
    public let method: String
    /// Without the query.
    public let path: String
    public let query: [String: String]
    /// Names in lower case.
    public let headers: [String: String]
    public let body: Data

    public init(method: String, target: String, headers: [String: String], body: Data) {
        self.method = method
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        path = parts.first ?? "/"
        query = Self.form(parts.count > 1 ? parts[1] : "")
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        self.body = body
    }

    /// The body as a form.
    public var form: [String: String] { Self.form(String(decoding: body, as: UTF8.self)) }

    /// The body as a JSON object.
    public var json: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }

    private static func form(_ text: String) -> [String: String] {
        Dictionary(
            text.split(separator: "&").map { pair in
                let words = pair.split(separator: "=", maxSplits: 1).map {
                    $0.replacing("+", with: " ").removingPercentEncoding ?? ""
                }
                return (words[0], words.count > 1 ? words[1] : "")
            }
        ) { $1 }
    }
}

/// What a provider answers.
public struct EmulatedResponse: Sendable, Equatable {
    public let status: Int
    public let body: Data

    public init(_ status: Int, _ body: Data = Data()) {
        self.status = status
        self.body = body
    }

    static func json(_ status: Int, _ value: Any) -> EmulatedResponse {
        EmulatedResponse(
            status, try! JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed]))
    }
}

/// What becomes of an order at the provider.
public enum EmulatedState: String, Sendable {
    case processing, paid, failed, rejected, reversed
}

/// What a provider does with an order that has arrived.
public struct EmulatedFate: Sendable {
    /// What becomes of it.
    public var state = EmulatedState.paid
    /// Milliseconds until that; it is being worked on before.
    public var delay: Int64 = 0
    /// What becomes of it later, and milliseconds until that.
    public var change: (state: EmulatedState, delay: Int64)?
    /// The sender hears nothing.
    public var isSilent = false
    /// The server falls over before it has written anything down (`502`), or is overrun (`429`).
    public var refusal: Int?
    /// The answer is cut off in the middle.
    public var isGarbled = false

    public init() {}
}
