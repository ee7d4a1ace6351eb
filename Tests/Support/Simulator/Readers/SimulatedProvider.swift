import RewardDispatcher

/// Who pays rewards out, in virtual time: another company with books of its own. It errs while the plan says so, forgets
/// nothing, and pays as often as it is told, so that whoever tells it twice is found out.
final class SimulatedProvider: ProviderBooks {
    static let schedule = PaymentSchedule(
        callTimeout: 400, settle: 1500, firstPause: 200, longestPause: 2000, mostAttempts: 12)

    private unowned let simulation: Simulation
    /// How often money left for each grant.
    private(set) var payouts: [String: Int] = [:]
    /// Grants that were refused for good.
    private(set) var rejected: Set<String> = []
    /// References that were replaced, in their order.
    private var replaced: [ReplacedReference] = []

    init(in simulation: Simulation) {
        self.simulation = simulation
    }

    /// A call is on its way. It arrives within the time of settlement, whatever became of its sender; the answer comes, or
    /// the sender's patience ends, whichever is first.
    func make(_ call: ProviderCall, answer: @escaping (ProviderAnswer) -> Void) {
        let isLate = simulation.faults.providerErrs && simulation.random.chance(100)
        let travel = simulation.random.below(isLate ? Int(Self.schedule.settle) - 1 : 100)
        simulation.timeline.after(travel) { [self] in
            guard let said = receive(call) else { return }
            simulation.timeline.after(simulation.random.below(100)) { answer(said) }
        }
        simulation.timeline.after(Int(Self.schedule.callTimeout)) { answer(.unknown("timeout")) }
    }

    func replace(_ references: [ReplacedReference]) -> Bool {
        for one in references { rename(one.reference.text, to: one.replacement.text) }
        replaced += references
        return true
    }

    /// How many references were replaced.
    var replacedCount: Int { replaced.count }

    /// The home was restored, and with it what its books call payments. That they were made stays.
    func goBack(to count: Int) {
        for one in replaced[count...].reversed() { rename(one.replacement.text, to: one.reference.text) }
        replaced.removeSubrange(count...)
    }

    private func rename(_ reference: String, to other: String) {
        if let count = payouts.removeValue(forKey: reference) { payouts[other, default: 0] += count }
        if rejected.remove(reference) != nil { rejected.insert(other) }
    }

    /// What it says to a call that has arrived; nil is silence.
    private func receive(_ call: ProviderCall) -> ProviderAnswer? {
        let fate = simulation.faults.providerErrs ? simulation.random.below(100) : 99
        return call.purpose == .pay ? pay(call.grant.text, fate) : ask(call.grant.text, fate)
    }

    private func pay(_ grant: String, _ fate: Int) -> ProviderAnswer? {
        switch fate {
        case 0..<15:
            payouts[grant, default: 0] += 1
            return nil
        case 15..<30: return nil
        case 30..<40: return .failed("busy")
        case 40..<44:
            rejected.insert(grant)
            return .rejected("no such number")
        default:
            payouts[grant, default: 0] += 1
            return .confirmed("paid")
        }
    }

    private func ask(_ grant: String, _ fate: Int) -> ProviderAnswer? {
        simulation.note(.askedAboutPayment)
        switch fate {
        case 0..<20: return nil
        case 20..<30: return .processing
        default:
            if payouts[grant, default: 0] > 0 { return .confirmed("paid") }
            return rejected.contains(grant) ? .rejected("no such number") : .notFound
        }
    }
}
