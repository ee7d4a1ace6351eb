import Models

@testable import RewardDispatcher

/// A provider of a world in virtual time, as its check sees it.
protocol WorldProvider {
    /// How often money left for a grant, whether it came back or not.
    var payouts: [GrantID: Int] { get }
    /// How often money left for a grant and stayed away, in the end.
    var kept: [GrantID: Int] { get }
    /// References that came twice.
    var reused: Set<PaymentReference> { get }
    /// Grants of which it said one thing and later another.
    var changed: Set<GrantID> { get }

    /// What follows from making a call: it arrives, and at the latest after `timeout` its maker knows nothing.
    ///
    /// - Parameter settle: a call arrives before this, also that of a program that has died.
    mutating func make(
        _ call: ProviderCall, life: Int, timeout: UnixMilliseconds, settle: UnixMilliseconds, now: UnixMilliseconds
    ) -> [(UnixMilliseconds, SimulatedProvider.Event)]

    /// What it says to a call that has arrived, and when that is heard; nil is silence.
    mutating func receive(_ call: ProviderCall, now: UnixMilliseconds) -> (UnixMilliseconds, ProviderAnswer)?

    /// What it calls back about an order that has just arrived, and when: never, once, twice, before the answer.
    mutating func callbacks(after call: ProviderCall, now: UnixMilliseconds) -> [(
        UnixMilliseconds, ProviderCallbackDocument
    )]

    /// What it says of a grant in the end; nil if no order for it ever arrived.
    func lastWord(on grant: GrantID) -> SimulatedProvider.Word?
}

extension WorldProvider {
    mutating func callbacks(after call: ProviderCall, now: UnixMilliseconds) -> [(
        UnixMilliseconds, ProviderCallbackDocument
    )] { [] }
}

/// A provider in virtual time, another company: it is hit by faults of its own, forgets nothing, refuses a reference that it
/// has seen, and changes its mind. Who tells it twice to pay a grant is found out.
struct SimulatedProvider: WorldProvider {
    /// Something that happens at the provider or on the way to and from it.
    enum Event {
        /// The call arrives, perhaps long after its sender has given up or died.
        case arrives(ProviderCall, life: Int)
        /// The answer arrives, or the caller's patience ends.
        case answers(ProviderAnswer, ProviderCall, life: Int)
        /// The provider calls back, and the edge has taken it.
        case callsBack(ProviderCallbackDocument)
    }

    enum Word { case paid, failed, rejected, reversed }

    /// What became of an order.
    private struct Payment {
        let grant: GrantID
        let word: Word
        /// Before that it is being worked on.
        let decidedAt: UnixMilliseconds
        /// What it says from a time on.
        let later: (at: UnixMilliseconds, word: Word)?
    }

    private var payments: [PaymentReference: Payment] = [:]
    /// How often money left for a grant, whether it came back or not.
    private(set) var payouts: [GrantID: Int] = [:]
    /// It says when it takes something back, and nobody pays again then.
    var kept: [GrantID: Int] { payouts }
    /// References that came twice.
    private(set) var reused: Set<PaymentReference> = []
    /// Grants of which it said one thing and later another.
    private(set) var changed: Set<GrantID> = []
    /// From here on it answers everything and errs no more.
    let healsAt: UnixMilliseconds
    /// How long after a decision it may decide otherwise; nil if it never does.
    let changesMindWithin: UnixMilliseconds?
    private var random: SplitMix64

    init(healsAt: UnixMilliseconds, changesMindWithin: UnixMilliseconds? = nil, seed: UInt64) {
        self.healsAt = healsAt
        self.changesMindWithin = changesMindWithin
        random = SplitMix64(seed: seed)
    }

    mutating func make(
        _ call: ProviderCall, life: Int, timeout: UnixMilliseconds, settle: UnixMilliseconds, now: UnixMilliseconds
    ) -> [(UnixMilliseconds, Event)] {
        let isLate = now < healsAt && random.chance(percent: 10)
        let travel = isLate ? random.below(settle - 1) : random.below(300)
        return [
            (now + travel, .arrives(call, life: life)),
            (now + timeout, .answers(.unknown("timeout"), call, life: life)),
        ]
    }

    mutating func receive(_ call: ProviderCall, now: UnixMilliseconds) -> (UnixMilliseconds, ProviderAnswer)? {
        let answer = call.purpose == .pay ? pay(call, now) : ask(call.reference, now)
        return answer.map { (now + random.below(300), $0) }
    }

    func lastWord(on grant: GrantID) -> Word? {
        let words = payments.values.filter { $0.grant == grant }.map { $0.later?.word ?? $0.word }
        return [.paid, .reversed, .rejected, .failed].first(where: words.contains)
    }

    private mutating func pay(_ call: ProviderCall, _ now: UnixMilliseconds) -> ProviderAnswer? {
        guard payments[call.reference] == nil else {
            reused.insert(call.reference)
            return .unknown("this reference was used before")
        }
        let fate = now < healsAt ? random.below(100) : 99
        switch fate {
        case 0..<15:
            put(.paid, call, now)
            return nil
        case 15..<30: return nil
        case 30..<37:
            put(.failed, call, now)
            return .failed("busy")
        case 37..<40:
            put(.failed, call, now)
            return nil
        case 40..<43:
            put(.rejected, call, now)
            return .rejected("no such number")
        case 43..<55:
            put(random.chance(percent: 80) ? .paid : .failed, call, now, after: random.below(5_000))
            return .accepted("name of \(call.reference.text)")
        default:
            put(.paid, call, now)
            return .confirmed("name of \(call.reference.text)")
        }
    }

    private mutating func put(
        _ word: Word, _ call: ProviderCall, _ now: UnixMilliseconds, after delay: UnixMilliseconds = 0
    ) {
        var later: (UnixMilliseconds, Word)?
        if let time = changesMindWithin, word != .failed, now < healsAt, random.chance(percent: 15) {
            later = (now + delay + 1 + random.below(time - 1), word == .paid ? .reversed : .paid)
            changed.insert(call.grant)
        }
        payments[call.reference] = Payment(grant: call.grant, word: word, decidedAt: now + delay, later: later)
        if word == .paid || later?.1 == .paid { payouts[call.grant, default: 0] += 1 }
    }

    private mutating func ask(_ reference: PaymentReference, _ now: UnixMilliseconds) -> ProviderAnswer? {
        let fate = now < healsAt ? random.below(100) : 99
        if fate < 20 { return nil }
        if fate < 30 { return .processing }
        guard let payment = payments[reference] else { return .notFound }
        guard payment.decidedAt <= now else { return .accepted("name of \(reference.text)") }
        switch payment.later.map({ $0.at <= now ? $0.word : payment.word }) ?? payment.word {
        case .paid: return .confirmed("name of \(reference.text)")
        case .reversed: return .reversed("the recipient does not exist")
        case .rejected: return .rejected("no such number")
        case .failed: return .failed("busy")
        }
    }
}
