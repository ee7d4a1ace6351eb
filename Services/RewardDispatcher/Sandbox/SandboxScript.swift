internal import Foundation
internal import ServiceKit

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

extension SandboxScript {
    /// Reads a script; nil is the one without faults.
    ///
    /// - Throws: `ServiceError` of code `usage` naming the file and what is wrong.
    public init(file: String?) throws {
        self.init()
        guard let file else { return }
        let text = try SmallFile.read(file)
        do {
            take(try JSONDecoder().decode(SandboxDocument.self, from: Data(text.utf8)))
        } catch {
            throw ServiceError(
                .usage, "NKUL_REWARD_DISPATCHER_SANDBOX: \(file) is not a script of the sandbox: \(error)")
        }
        guard isSound else {
            throw ServiceError(
                .usage,
                "NKUL_REWARD_DISPATCHER_SANDBOX: \(file): shares are 0…1 and together at most 1, delays 0…600000 ms, least first"
            )
        }
    }

    private mutating func take(_ document: SandboxDocument) {
        seed = document.seed ?? seed
        leastDelay = document.delay_ms?.least ?? 0
        mostDelay = document.delay_ms?.most ?? leastDelay
        timeoutPaid = document.pay?.timeout_paid ?? 0
        timeoutUnpaid = document.pay?.timeout_unpaid ?? 0
        error = document.pay?.error ?? 0
        rejected = document.pay?.rejected ?? 0
        askTimeout = document.ask?.timeout ?? 0
        askProcessing = document.ask?.processing ?? 0
    }
}

/// The file as it is written; names as in JSON.
private struct SandboxDocument: Decodable {
    struct Delay: Decodable {
        let least, most: Int64?
    }
    struct Pay: Decodable {
        let timeout_paid, timeout_unpaid, error, rejected: Double?
    }
    struct Ask: Decodable {
        let timeout, processing: Double?
    }
    let seed: UInt64?
    let delay_ms: Delay?
    let pay: Pay?
    let ask: Ask?
}
