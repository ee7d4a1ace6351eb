import Foundation
import Models
import ProviderEmulators
import ServiceKit
import Synchronization

@testable import RewardDispatcher

/// An emulated provider in virtual time, spoken to in its dialect as the product does, without a network.
struct EmulatedWorldProvider: WorldProvider {
    /// Between two orders to one number, milliseconds.
    static let gap: UnixMilliseconds = 2_000

    let dialect: any ProviderDialect
    private let emulator: EmulatedProvider
    private let clock: Clock
    private let healsAt: UnixMilliseconds
    private var grants: [String: GrantID] = [:]
    private var token = ""
    private var random: SplitMix64

    private final class Clock: Sendable {
        let now = Mutex<Int64>(0)
    }

    init(
        _ kind: EmulatedProvider.Dialect, healsAt: UnixMilliseconds, changesMindWithin: UnixMilliseconds?, seed: UInt64
    ) {
        let clock = Clock()
        var rules = EmulatedProvider.Rules()
        rules.gap = Self.gap
        rules.tokenUses = 7
        dialect = Self.dialect(kind, url: "http://127.0.0.1:1")
        emulator = EmulatedProvider(kind, rules: rules, clock: { clock.now.withLock { $0 } }) { order in
            let now = clock.now.withLock { $0 }
            return now < healsAt ? Self.fate(order, seed: seed, changesMindWithin) : EmulatedFate()
        }
        self.clock = clock
        self.healsAt = healsAt
        random = SplitMix64(seed: seed &+ 1)
    }

    /// A dialect with an account for tests.
    static func dialect(_ kind: EmulatedProvider.Dialect, url: String) -> any ProviderDialect {
        let account = ProviderAccount(
            url: url, tokenURL: url, operators: ["62401": "341"], username: "nkul", environment: "sandbox",
            secrets: [
                "client_id": "i", "client_secret": "s", "key": "k", "secret": "s", "api_key": "a", "user": "u",
                "subscription_key": "p",
            ])
        return switch kind {
        case .reloadly: ReloadlyDialect(account: account)
        case .dtone: DTOneDialect(account: account)
        case .africastalking: AfricasTalkingDialect(account: account)
        case .momo: MoMoDialect(account: account)
        }
    }

    private static func fate(_ order: Int, seed: UInt64, _ changesMindWithin: UnixMilliseconds?) -> EmulatedFate {
        var random = SplitMix64(seed: seed, name: "order \(order)"), fate = EmulatedFate()
        switch random.below(100) {
        case 0..<15: fate.isSilent = true
        case 15..<30:
            fate.refusal = 502
            fate.isSilent = random.chance(percent: 50)
        case 30..<40: fate.state = .failed
        case 40..<43: fate.state = .rejected
        case 43..<55: fate.delay = random.below(5_000)
        case 55..<60: fate.isGarbled = true
        case 60..<64: fate.refusal = 429
        default: break
        }
        if let time = changesMindWithin, fate.state == .paid, fate.refusal == nil, random.chance(percent: 15) {
            fate.change = (.reversed, 1 + random.below(time - 1))
        }
        return fate
    }

    private func count(_ isCounted: (EmulatedBooks.Order) -> Bool) -> [GrantID: Int] {
        emulator.books.orders.reduce(into: [:]) { counts, order in
            if isCounted(order), let grant = grants[order.reference] { counts[grant, default: 0] += 1 }
        }
    }

    var payouts: [GrantID: Int] { count(\.isPaid) }

    var kept: [GrantID: Int] { count { $0.last == .paid } }

    /// A key that is forgotten may come again; it never does here, as nothing is given again so late.
    var reused: Set<PaymentReference> {
        guard dialect.asking.contains(.reference) else { return [] }
        return Set(emulator.books.refusedReferences.map(PaymentReference.init(stored:)))
    }

    var changed: Set<GrantID> {
        Set(emulator.books.orders.filter { $0.last == .reversed }.compactMap { grants[$0.reference] })
    }

    func lastWord(on grant: GrantID) -> SimulatedProvider.Word? {
        let states = emulator.books.orders.filter { grants[$0.reference] == grant }.map(\.last)
        if states.contains(.paid) { return .paid }
        // MoMo calls what it took back failed. If nobody had heard of the payment, the order is given again, and may be refused.
        if emulator.dialect == .momo, states.contains(.rejected) { return .rejected }
        if states.contains(.reversed) { return .reversed }
        return states.contains(.rejected) ? .rejected : states.isEmpty ? nil : .failed
    }

    mutating func make(
        _ call: ProviderCall, life: Int, timeout: UnixMilliseconds, settle: UnixMilliseconds, now: UnixMilliseconds
    ) -> [(UnixMilliseconds, SimulatedProvider.Event)] {
        grants[call.reference.text] = call.grant
        let isLate = now < healsAt && random.chance(percent: 10)
        let travel = isLate ? random.below(settle - 1) : random.below(300)
        return [
            (now + travel, .arrives(call, life: life)),
            (now + timeout, .answers(.unknown("timeout"), call, life: life)),
        ]
    }

    mutating func receive(_ call: ProviderCall, now: UnixMilliseconds) -> (UnixMilliseconds, ProviderAnswer)? {
        clock.now.withLock { $0 = now }
        guard let answer = answer(call, now) else { return nil }
        return (now + random.below(300), answer)
    }

    mutating func callbacks(after call: ProviderCall, now: UnixMilliseconds) -> [(
        UnixMilliseconds, ProviderCallbackDocument
    )] {
        guard call.purpose.isOrder, let order = emulator.books.order(call.reference.text) else { return [] }
        // Africa's Talking has no name of ours.
        let isNameless = emulator.dialect == .africastalking
        let document = ProviderCallbackDocument(
            provider: emulator.dialect.rawValue, reference: isNameless ? nil : call.reference.text,
            providerID: isNameless ? "ATQid_\(order.id)" : nil)
        return (0..<random.below(3)).map { _ in (now + random.below(8_000), document) }
    }

    private mutating func answer(_ call: ProviderCall, _ now: UnixMilliseconds) -> ProviderAnswer? {
        if call.purpose == .ask, now < healsAt, random.chance(percent: 20) { return nil }
        if token.isEmpty, let request = dialect.tokenRequest, let response = exchange(request) {
            token = response.json?["access_token"]?.string ?? ""
        }
        let request: ProviderRequest?
        if call.purpose.isOrder {
            guard let recipient = call.recipient else { return .notTaken("no number") }
            request = dialect.order(call, to: recipient, token: token)
        } else {
            request = dialect.question(call, token: token)
        }
        guard let request, let response = exchange(request) else { return nil }
        if response.status == 401 { token = "" }
        return dialect.answer(to: call, response)
    }

    private func exchange(_ request: ProviderRequest) -> ProviderResponse? {
        let target = request.url.replacing("http://127.0.0.1:1", with: "")
        let answer = emulator.receive(
            EmulatedRequest(
                method: request.method.rawValue, target: target, headers: request.headers, body: Data(request.body)))
        return answer.map {
            ProviderResponse(status: $0.status, json: try? JSONDecoder().decode(JSONValue.self, from: $0.body))
        }
    }
}
