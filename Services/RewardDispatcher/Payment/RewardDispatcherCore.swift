public import Models

/// What becomes of one grant's payment: at most once, and in the end exactly once or certainly never.
///
/// Pure. One value for one grant; the caller loads it, hands it what happened, keeps the grant, commits, and only then
/// carries out the calls.
///
///                     ┌───────── certainly not paid, later again ─────────┐
///                     ▼                                                   │
///     pending ──▶ sent ──no answer, restart──▶ unknown ──▶ asked ─────────┤
///                   │                             ▲          │            │
///                   │                             └─ no word ┤            │
///                   └──────────────▶ confirmed ◀─────────────┤            │
///                   └──────────────▶ rejected  ◀─────────────┘   (or after the last attempt)
///
/// After a restore `pending` and `sent` become `unknown`, too: the provider knows what became of them, these books do not.
/// Once its subject is erased, whatever is certainly not paid is rejected, `pending` too.
public struct RewardDispatcherCore: Sendable {
    public enum Event: Sendable {
        /// The time `dueAt` has come. The world's clock may have been set meanwhile; `quietMilliseconds`, by a clock that only
        /// rises, is how long no order to pay the grant has been under way, nil while one is.
        case due(now: UnixMilliseconds, quietMilliseconds: Int64?)
        /// The program has started, and whatever it was told before is lost.
        case restarted(now: UnixMilliseconds)
        /// The home was restored: in the life that was lost it may have been paid.
        case restored(now: UnixMilliseconds)
        /// It is not to be paid for the time being, for the reason told.
        case held(String, now: UnixMilliseconds)
        case answered(ProviderAnswer, to: ProviderCall, now: UnixMilliseconds)
        /// Its subject was erased. What certainly was not paid will not be; what may have been is asked about as ever.
        case erased(isBusy: Bool, now: UnixMilliseconds)
    }

    public enum Action: Sendable, Equatable {
        /// Move the amount in the ledger.
        case move(from: LedgerAccount.Kind, to: LedgerAccount.Kind)
        /// Call the provider, once all of this is committed.
        case call(ProviderCall)
    }

    /// After which a grant that is held is looked at again.
    static let holdPause: UnixMilliseconds = 6 * 3_600_000

    public private(set) var grant: Grant
    private let schedule: PaymentSchedule

    public init(_ grant: Grant, _ schedule: PaymentSchedule) {
        self.grant = grant
        self.schedule = schedule
    }

    /// Takes in what happened and says what to do about it; nothing if it changes nothing.
    public mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .due(let now, nil):
            grant.dueAt = now + 2 * schedule.callTimeout
            return []
        case .due(let now, let quiet?): return due(now, quiet)
        case .restarted(let now):
            guard grant.state == .sent || grant.state == .asked else { return [] }
            change(to: .unknown, now, dueAt: now)
            return []
        case .restored(let now): return askFirst(now)
        case .held(let reason, let now):
            guard grant.state == .pending else { return [] }
            grant.reason = reason
            grant.dueAt = now + Self.holdPause
            return []
        case .answered(let answer, let call, let now):
            guard !grant.state.isFinal else { return [] }
            if case .confirmed(let reference) = answer { return confirm(reference, now) }
            guard concerns(call) else { return [] }
            return call.purpose == .pay ? paid(answer, now) : told(answer, call, now)
        case .erased(let isBusy, let now): return erase(isBusy: isBusy, now)
        }
    }

    /// As if it had been sent: the provider is asked, and only if it has never heard of the reference, told to pay.
    private mutating func askFirst(_ now: UnixMilliseconds) -> [Action] {
        switch grant.state {
        case .pending where grant.erased == nil:
            grant.asks = 0
            change(to: .unknown, now, dueAt: now)
            return [.move(from: .owed, to: .float)]
        case .sent, .asked:
            change(to: .unknown, now, dueAt: now)
            return []
        case .pending, .unknown, .confirmed, .rejected: return []
        }
    }

    private mutating func erase(isBusy: Bool, _ now: UnixMilliseconds) -> [Action] {
        guard grant.state == .pending else { return [] }
        guard !isBusy else {
            grant.dueAt = now + 2 * schedule.callTimeout
            return []
        }
        change(to: .rejected, now, dueAt: nil)
        return [.move(from: .owed, to: .budget)]
    }

    private mutating func due(_ now: UnixMilliseconds, _ quiet: Int64) -> [Action] {
        switch grant.state {
        case .pending where grant.erased != nil: return erase(isBusy: false, now)
        case .pending:
            grant.attempts += 1
            grant.asks = 0
            grant.sentAt = now
            change(to: .sent, now, dueAt: now + 2 * schedule.callTimeout)
            return [.move(from: .owed, to: .float), .call(call(.pay, now, quiet))]
        case .sent, .unknown:
            grant.asks += 1
            change(to: .asked, now, dueAt: now + 2 * schedule.callTimeout)
            return [.call(call(.ask, now, quiet))]
        case .asked:
            wait(now)
            return []
        case .confirmed, .rejected:
            grant.dueAt = nil
            return []
        }
    }

    /// The answer to the order to pay. It may come late, when the provider is being asked already.
    private mutating func paid(_ answer: ProviderAnswer, _ now: UnixMilliseconds) -> [Action] {
        switch answer {
        case .rejected(let reason): return reject(reason, now)
        case .failed(let reason): return tryAgain(reason, now)
        case .confirmed: return []
        case .processing, .notFound, .unknown:
            if grant.state == .sent { wait(now, answer) }
            return []
        }
    }

    /// The answer to a question.
    private mutating func told(_ answer: ProviderAnswer, _ call: ProviderCall, _ now: UnixMilliseconds) -> [Action] {
        switch answer {
        case .rejected(let reason): return reject(reason, now)
        case .notFound where call.quietMilliseconds >= schedule.settle:
            return tryAgain("the provider never received it", now)
        case .notFound:
            wait(now, answer)
            grant.dueAt = max(grant.dueAt ?? now, now + schedule.settle - call.quietMilliseconds)
            return []
        case .confirmed: return []
        case .failed, .processing, .unknown:
            wait(now, answer)
            return []
        }
    }

    /// Answers to earlier attempts and earlier questions say nothing about the present one.
    private func concerns(_ call: ProviderCall) -> Bool {
        guard call.attempt == grant.attempts else { return false }
        switch call.purpose {
        case .pay: return grant.state != .pending
        case .ask: return grant.state == .asked && call.ask == grant.asks
        }
    }

    private mutating func confirm(_ reference: String, _ now: UnixMilliseconds) -> [Action] {
        let isOwed = grant.state == .pending
        grant.reason = reference
        change(to: .confirmed, now, dueAt: nil)
        return (isOwed ? [.move(from: .owed, to: .float)] : []) + [.move(from: .float, to: .paid)]
    }

    private mutating func reject(_ reason: String, _ now: UnixMilliseconds) -> [Action] {
        grant.reason = reason
        change(to: .rejected, now, dueAt: nil)
        return [.move(from: .float, to: .budget)]
    }

    private mutating func tryAgain(_ reason: String, _ now: UnixMilliseconds) -> [Action] {
        // Nobody is left to be paid.
        if grant.erased != nil { return reject(reason, now) }
        guard grant.attempts < schedule.mostAttempts else {
            return reject("given up after \(grant.attempts) attempts: \(reason)", now)
        }
        grant.reason = reason
        change(to: .pending, now, dueAt: now + schedule.pause(after: grant.attempts, grant.id))
        return [.move(from: .float, to: .owed)]
    }

    private mutating func wait(_ now: UnixMilliseconds, _ answer: ProviderAnswer? = nil) {
        if case .unknown(let reason) = answer { grant.reason = reason }
        change(to: .unknown, now, dueAt: now + schedule.pause(after: grant.asks, grant.id))
    }

    private mutating func change(to state: GrantState, _ now: UnixMilliseconds, dueAt: UnixMilliseconds?) {
        grant.state = state
        grant.changedAt = now
        grant.dueAt = dueAt
    }

    private func call(_ purpose: ProviderCall.Purpose, _ now: UnixMilliseconds, _ quiet: Int64) -> ProviderCall {
        ProviderCall(
            purpose: purpose, grant: grant.id, device: grant.device, amount: grant.amount, attempt: grant.attempts,
            ask: purpose == .pay ? 0 : grant.asks, at: now, quietMilliseconds: quiet)
    }
}
