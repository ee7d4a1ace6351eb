internal import Models

/// What the sandbox does with a call. A pure function of script, reference and the number of the call for it.
struct SandboxFate {
    enum Payment: Equatable { case paid, paidInSilence, lostInSilence, failed, rejected }
    enum Question: Equatable { case answered, silence, processing }

    private let script: SandboxScript
    private var random: SplitMix64

    /// - Parameter number: which call it is for the reference, from 1.
    init(_ script: SandboxScript, reference: String, purpose: ProviderCall.Purpose, number: Int64) {
        self.script = script
        random = SplitMix64(seed: script.seed, name: "\(purpose) \(number) \(reference)")
    }

    mutating func payment() -> Payment {
        pick([
            (script.timeoutPaid, .paidInSilence), (script.timeoutUnpaid, .lostInSilence), (script.error, .failed),
            (script.rejected, .rejected),
        ]) ?? .paid
    }

    mutating func question() -> Question {
        pick([(script.askTimeout, .silence), (script.askProcessing, .processing)]) ?? .answered
    }

    /// Milliseconds until the answer.
    mutating func delay() -> Int64 {
        script.leastDelay + Int64(random.next() % UInt64(script.mostDelay - script.leastDelay + 1))
    }

    private mutating func pick<Fate>(_ fates: [(share: Double, fate: Fate)]) -> Fate? {
        var place = Double(random.next() >> 11) / Double(1 << 53)
        for (share, fate) in fates {
            if place < share { return fate }
            place -= share
        }
        return nil
    }
}
