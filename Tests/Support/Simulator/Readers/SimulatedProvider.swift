import Models
import RewardDispatcher

/// Who pays rewards out, in virtual time: another company with books of its own. It errs while the plan says so, forgets
/// nothing, takes some payments back, and pays under each reference that it is told, so that whoever tells it twice is found
/// out.
final class SimulatedProvider: ProviderBooks {
    static let schedule = PaymentSchedule(
        callTimeout: 400, settle: 1500, firstPause: 200, longestPause: 2000, mostAttempts: 12, recheck: 3000)
    /// Least time between two orders to pay to one number.
    static let numberGap: UnixMilliseconds = 700

    /// What became of an order.
    private enum Word {
        case paid, failed, rejected
        /// Paid, and taken back from a moment of the run on.
        case reversed(from: UnixMilliseconds)
    }

    private unowned let simulation: Simulation
    /// How often money left for each grant, whether it came back or not.
    private(set) var payouts: [String: Int] = [:]
    /// Grants that were refused for good.
    private(set) var rejected: Set<String> = []
    /// Grants whose payment is taken back sooner or later.
    private(set) var reversed: Set<String> = []
    /// What should not have come: a reference for the second time, two orders to one number too soon after each other.
    private(set) var fault: String?
    private var orders: [PaymentReference: Word] = [:]
    private var lastOrders: [String: UnixMilliseconds] = [:]
    /// References that were replaced, in their order.
    private var replaced: [ReplacedReference] = []

    init(in simulation: Simulation) {
        self.simulation = simulation
    }

    /// A call is on its way. It arrives within the time of settlement, whatever became of its sender; the answer comes, or
    /// the sender's patience ends, whichever is first.
    func make(_ call: ProviderCall, answer: @escaping (ProviderAnswer) -> Void) {
        note(call)
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
        lastOrders = [:]
    }

    private func rename(_ reference: String, to other: String) {
        if let count = payouts.removeValue(forKey: reference) { payouts[other, default: 0] += count }
        if rejected.remove(reference) != nil { rejected.insert(other) }
        if reversed.remove(reference) != nil { reversed.insert(other) }
    }

    /// What it says to a call that has arrived; nil is silence.
    private func receive(_ call: ProviderCall) -> ProviderAnswer? {
        let fate = simulation.faults.providerErrs ? simulation.random.below(100) : 99
        guard call.purpose == .pay else { return ask(call.reference, fate) }
        guard orders[call.reference] == nil else {
            fault = "reference \(call.reference.text) came twice"
            return .unknown("this reference was used before")
        }
        return pay(call, fate)
    }

    private func pay(_ call: ProviderCall, _ fate: Int) -> ProviderAnswer? {
        switch fate {
        case 0..<15:
            takeUp(call)
            return nil
        case 15..<30: return nil
        case 30..<40:
            orders[call.reference] = .failed
            return fate < 37 ? .failed("busy") : nil
        case 40..<44:
            orders[call.reference] = .rejected
            rejected.insert(call.grant.text)
            return .rejected("no such number")
        case 44..<55:
            takeUp(call)
            return .accepted("name of \(call.reference.text)")
        default:
            takeUp(call)
            return .confirmed("name of \(call.reference.text)")
        }
    }

    /// Pays. What is paid in a run in which rewards are forgotten after a time stays paid: they are forgotten at the same
    /// moment in every run.
    private func takeUp(_ call: ProviderCall) {
        payouts[call.grant.text, default: 0] += 1
        orders[call.reference] = .paid
        guard simulation.faults.providerErrs, simulation.retention == nil, simulation.random.chance(100) else { return }
        orders[call.reference] = .reversed(from: simulation.clock.now + Int64(simulation.random.below(2000)))
        reversed.insert(call.grant.text)
    }

    private func ask(_ reference: PaymentReference, _ fate: Int) -> ProviderAnswer? {
        simulation.note(.askedAboutPayment)
        if case .reversed(let time) = orders[reference], time <= simulation.clock.now { return .reversed("taken back") }
        switch fate {
        case 0..<20: return nil
        case 20..<30: return .processing
        default: break
        }
        return switch orders[reference] {
        case .paid, .reversed: .confirmed("name of \(reference.text)")
        case .failed: .failed("busy")
        case .rejected: .rejected("no such number")
        case nil: .notFound
        }
    }

    /// Two orders to a number that one device gives once keep their distance.
    private func note(_ call: ProviderCall) {
        guard call.purpose == .pay, let phone = call.recipient?.phone,
            simulation.payouts?.wishes.count(where: { $0.number == phone }) == 1
        else { return }
        if let last = lastOrders.updateValue(call.at, forKey: phone), call.at >= last, call.at - last < Self.numberGap {
            fault = "two orders to one number came \(call.at - last) ms after each other"
        }
    }
}
