import Models

@testable import RewardDispatcher

/// A provider in virtual time, another company: it is hit by faults of its own, forgets nothing, and pays as often as it is
/// told, so that whoever tells it twice is found out.
struct SimulatedProvider {
    /// Something that happens at the provider or on the way to and from it.
    enum Event {
        /// The call arrives, perhaps long after its sender has given up or died.
        case arrives(ProviderCall, life: Int)
        /// The answer arrives, or the caller's patience ends.
        case answers(ProviderAnswer, ProviderCall, life: Int)
    }

    private(set) var payouts: [GrantID: Int] = [:]
    private(set) var rejected: Set<GrantID> = []
    /// From here on it answers everything and errs no more.
    let healsAt: UnixMilliseconds
    private var random: SplitMix64

    init(healsAt: UnixMilliseconds, seed: UInt64) {
        self.healsAt = healsAt
        random = SplitMix64(seed: seed)
    }

    /// What follows from making a call: it arrives, and at the latest after `timeout` its maker knows nothing.
    ///
    /// - Parameter settle: a call arrives before this, also that of a program that has died.
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

    /// What it says to a call that has arrived, and when that is heard; nil is silence.
    mutating func receive(_ call: ProviderCall, now: UnixMilliseconds) -> (UnixMilliseconds, ProviderAnswer)? {
        let answer = call.purpose == .pay ? pay(call.grant, now) : ask(call.grant, now)
        return answer.map { (now + random.below(300), $0) }
    }

    private mutating func pay(_ id: GrantID, _ now: UnixMilliseconds) -> ProviderAnswer? {
        let fate = now < healsAt ? random.below(100) : 99
        switch fate {
        case 0..<15:
            payouts[id, default: 0] += 1
            return nil
        case 15..<30: return nil
        case 30..<40: return .failed("busy")
        case 40..<43:
            rejected.insert(id)
            return .rejected("no such number")
        default:
            payouts[id, default: 0] += 1
            return .confirmed("paid")
        }
    }

    private mutating func ask(_ id: GrantID, _ now: UnixMilliseconds) -> ProviderAnswer? {
        let fate = now < healsAt ? random.below(100) : 99
        if fate < 20 { return nil }
        if fate < 30 { return .processing }
        if payouts[id, default: 0] > 0 { return .confirmed("paid") }
        return rejected.contains(id) ? .rejected("no such number") : .notFound
    }
}
