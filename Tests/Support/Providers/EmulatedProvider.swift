import Synchronization

/// A provider of rewards as its documentation describes it: speaks its dialect, refuses what it refuses, and errs as it is told.
///
/// Usable from any thread; ``EmulatorServer`` puts it on a port.
public final class EmulatedProvider: Sendable {
    public enum Dialect: String, CaseIterable, Sendable {
        case reloadly, dtone, africastalking, momo
    }

    /// What it knows at one moment.
    struct State {
        var books = EmulatedBooks()
        /// How often each token was used.
        var tokens: [String: Int] = [:]
        var tokenCount = 0
        var orderCount = 0
        let fate: @Sendable (_ order: Int) -> EmulatedFate
        let rules: Rules
        var now: Int64 = 0
    }

    /// Times and limits of the provider.
    public struct Rules: Sendable {
        /// Between two orders to one number, milliseconds.
        public var gap: Int64 = 120_000
        /// How long a key is known where keys are forgotten, milliseconds.
        public var keyTime: Int64 = 300_000
        /// Requests that a token is good for.
        public var tokenUses = 50

        public init() {}
    }

    public let dialect: Dialect
    let clock: @Sendable () -> Int64
    private let state: Mutex<State>

    /// - Parameters:
    ///   - clock: milliseconds; only differences matter.
    ///   - fate: what becomes of an order that has arrived, by its number from 1.
    public init(
        _ dialect: Dialect, rules: Rules = Rules(), clock: @escaping @Sendable () -> Int64,
        fate: @escaping @Sendable (_ order: Int) -> EmulatedFate = { _ in EmulatedFate() }
    ) {
        self.dialect = dialect
        self.clock = clock
        state = Mutex(State(fate: fate, rules: rules))
    }

    /// Everything it has written down.
    public var books: EmulatedBooks { state.withLock { $0.books } }

    public var tokenCount: Int { state.withLock { $0.tokenCount } }

    /// Sets what was put in, whole XAF.
    public func deposit(_ amount: Int64) { state.withLock { $0.books.deposit = amount } }

    /// The answer to a request; nil if there is none.
    public func receive(_ request: EmulatedRequest) -> EmulatedResponse? {
        let now = clock()
        return state.withLock { state in
            state.now = now
            return switch dialect {
            case .reloadly: state.reloadly(request)
            case .dtone: state.dtone(request)
            case .africastalking: state.africasTalking(request)
            case .momo: state.momo(request)
            }
        }
    }
}

extension EmulatedProvider.State {
    mutating func newToken() -> String {
        tokenCount += 1
        tokens["token-\(tokenCount)"] = 0
        return "token-\(tokenCount)"
    }

    /// False if a request has no token that is still good.
    mutating func isAuthorized(_ request: EmulatedRequest) -> Bool {
        let words = (request.headers["authorization"] ?? "").split(separator: " ").map(String.init)
        guard words.count == 2, words[0] == "Bearer", let uses = tokens[words[1]], uses < rules.tokenUses else {
            return false
        }
        tokens[words[1]] = uses + 1
        return true
    }

    /// Takes up an order, or falls over; what its sender hears.
    mutating func take(
        _ reference: String, phone: String, amount: Int64, _ answer: (EmulatedBooks.Order) -> EmulatedResponse
    ) -> EmulatedResponse? {
        orderCount += 1
        let fate = fate(orderCount)
        if let refusal = fate.refusal { return fate.isSilent ? nil : EmulatedResponse(refusal) }
        let order = books.add(reference, phone: phone, amount: amount, at: now, fate)
        if fate.isSilent { return nil }
        let response = answer(order)
        return fate.isGarbled
            ? EmulatedResponse(response.status, response.body.prefix(response.body.count / 2)) : response
    }
}
