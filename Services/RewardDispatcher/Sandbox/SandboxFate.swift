/// What the sandbox does with a call. A pure function of script, reference and the number of the call for it.
struct SandboxFate: Equatable {
    enum Payment: Equatable { case paid, paidInSilence, lostInSilence, failed, rejected }
    enum Question: Equatable { case answered, silence, processing }

    private let script: SandboxScript
    private var state: UInt64

    /// - Parameter number: which call it is for the reference, from 1.
    init(_ script: SandboxScript, reference: String, purpose: ProviderCall.Purpose, number: Int64) {
        self.script = script
        // FNV-1a of the reference, then SplitMix64.
        let hash = reference.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        state = hash ^ script.seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: number) << 1
        if purpose == .ask { state ^= 1 }
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
        script.leastDelay + Int64(next() % UInt64(script.mostDelay - script.leastDelay + 1))
    }

    private mutating func pick<Fate>(_ fates: [(share: Double, fate: Fate)]) -> Fate? {
        var place = Double(next() >> 11) / Double(1 << 53)
        for (share, fate) in fates {
            if place < share { return fate }
            place -= share
        }
        return nil
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
