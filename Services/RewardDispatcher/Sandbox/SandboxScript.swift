/// How the sandbox provider behaves, from a JSON file. Everything may be left out; then it pays at once and never errs.
///
///     {"seed": 7, "delay_ms": {"least": 5, "most": 50},
///      "pay": {"timeout_paid": 0.15, "timeout_unpaid": 0.15, "error": 0.1, "rejected": 0.02},
///      "ask": {"timeout": 0.1, "processing": 0.05}}
///
/// Shares are of all calls, 0…1; what is left pays, or answers.
public struct SandboxScript: Sendable, Equatable {
    /// Which calls are hit: the same seed, reference and number of the call, the same fate.
    public var seed: UInt64 = 1
    /// Between call and answer, milliseconds.
    public var leastDelay: Int64 = 0
    public var mostDelay: Int64 = 0
    /// Paid, and never answered.
    public var timeoutPaid = 0.0
    /// Not paid, and never answered.
    public var timeoutUnpaid = 0.0
    /// Not paid, and said so: later again.
    public var error = 0.0
    /// Not paid, and never will be.
    public var rejected = 0.0
    /// A question never answered.
    public var askTimeout = 0.0
    /// A question answered by "it is being worked on", whatever became of it.
    public var askProcessing = 0.0

    public init() {}

    var isSound: Bool {
        let pay = [timeoutPaid, timeoutUnpaid, error, rejected], ask = [askTimeout, askProcessing]
        return [pay, ask].allSatisfy { shares in
            shares.allSatisfy { (0...1).contains($0) } && shares.reduce(0, +) <= 1 + 1e-9
        } && 0 <= leastDelay && leastDelay <= mostDelay && mostDelay <= 600_000
    }
}
