internal import Foundation
internal import Models
internal import QoE

/// The kit's decisions: an event comes in, changes of the queue and effects go out. Pure: time comes with the event, chance from a
/// seed, what the queue holds from ``plan(_:)``'s caller.
///
/// ``handle(_:at:_:)`` takes what happened into the state; ``plan(_:)`` says what is due, and is asked again after each change of the
/// queue until it changes nothing.
struct DeviceCore: Sendable {
    var state: DeviceState
    var slow: SlowState
    let settings: DeviceSettings
    let energy: EnergyModel
    var random: SplitMix64
    /// As they were when the system told last; nil since the start.
    var conditions: Conditions?
    /// Steady time of the event that is being handled.
    var now: Int64 = 0
    /// Questions without an answer, and when they were asked.
    var open: [DeviceState.Task: (number: Int, since: Int64)] = [:]
    private var calls = 0
    /// Keys of the uploads that are on their way.
    var uploads: [UploadSlot: String] = [:]
    /// How the queue stood when the event came.
    var facts = QueueFacts()
    /// The version of the consent that the open enrolment or consent call tells.
    var openConsent = 0
    /// Since when the platform is looking.
    var samplingSince: Int64?

    /// An answer or a sample that has not come after so long is not waited for.
    static let patience: Int64 = 300_000

    init(
        _ state: DeviceState, _ slow: SlowState, _ settings: DeviceSettings, energy: EnergyModel = EnergyModel(),
        seed: UInt64
    ) {
        self.state = state
        self.slow = slow
        self.settings = settings
        self.energy = energy
        random = SplitMix64(seed: seed)
    }

    /// The wall clock, Unix milliseconds.
    var wall: UnixMilliseconds { now + state.clock.shift }

    /// The policy in force; the built-in one until the service has told.
    var policy: PromptPolicy { slow.policy?.policy ?? PromptPolicy.builtIn(timeZone: "Africa/Douala") }

    /// True if the kit may measure and send.
    var isMeasuring: Bool { state.end == nil && state.consent?.allowsMeasurement == true }

    /// Takes an event into the state.
    mutating func handle(_ event: DeviceEvent, at reading: ClockReading, _ facts: QueueFacts) -> DeviceStep {
        now = state.clock.read(reading)
        self.facts = facts
        beginDay()
        var step = DeviceStep()
        switch event {
        case .woke(let conditions):
            today { $0.wakeUps += 1 }
            see(conditions)
        case .sampled(let sample, let conditions):
            see(conditions)
            take(sample, conditions.path, &step)
        case .happened(let occurrence): take(occurrence, &step)
        case .rated(let rating): take(rating, &step)
        case .promptGone(let id, let isDismissed): end(id, isDismissed ? .dismissed : .ignored, &step)
        case .consented(let choice): take(choice, &step)
        case .simChosen(let choice): state.simChoice = choice
        case .keyed(let point): state.publicKey = Data(point).base64EncodedString()
        case .wished(let wish): ask(wish, &step)
        case .heard(let wish, let exchange, let milliseconds, let path):
            account(exchange, milliseconds, path)
            hear(wish, exchange.response, &step)
        case .hurried: state.nextBulk = now
        case .answered(let call, let exchange, let milliseconds, let path):
            account(exchange, milliseconds, path)
            take(exchange, of: call, &step)
        }
        return step
    }

    /// The network is back, or a better one: what failed for its sake is due.
    private mutating func see(_ seen: Conditions) {
        if conditions?.path != seen.path, seen.path != .none {
            for task in DeviceState.Task.allCases { state.retries[task]?.hurry() }
            state.avoidsRealtime = false
        }
        conditions = seen
    }

    private mutating func take(_ choice: ConsentChoice, _ step: inout DeviceStep) {
        guard state.end == nil else { return }
        let wasMeasuring = isMeasuring
        state.consent = choice
        state.consentVersion += 1
        state.hasAskedForConsent = false
        guard !choice.allowsMeasurement else {
            if !wasMeasuring { state.nextSample = now }
            state.awaitsService = state.token != nil && (state.awaitsService || !wasMeasuring)
            return
        }
        // The service would refuse what was captured before.
        step.changes.append(.dropEverything(.withdrawn))
        forgetUploads()
        if let open = state.openPrompt { step.effects.append(.withdraw(open.prompt)) }
        state.openPrompt = nil
        slow.prompts = []
        state.callDrops = []
    }

    /// Answers to uploads that are gone mean nothing any more.
    mutating func forgetUploads() {
        (open[.urgent], open[.bulk]) = (nil, nil)
    }

    /// Names a question that is asked now.
    mutating func begin(_ task: DeviceState.Task) -> DeviceCall {
        calls += 1
        open[task] = (calls, now)
        return DeviceCall(task: task, number: calls)
    }

    /// A key that no other upload of this phone has.
    mutating func newKey() -> String {
        let digits = String(random.next(), radix: 36) + String(random.next(), radix: 36)
        return "\(String(now, radix: 36))-\(digits)"
    }
}
