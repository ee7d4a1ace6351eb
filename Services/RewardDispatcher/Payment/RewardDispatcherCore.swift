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
/// Each attempt has a reference of its own (``PaymentReference``). After a restore `pending` and `sent` become `unknown`,
/// too: the provider knows what became of them, these books do not; every attempt that may have been made in the life that
/// was lost is asked about before there is another. Once its subject is erased, whatever is certainly not paid is rejected,
/// `pending` too. What is settled can still be told otherwise: see `RewardDispatcherCore+settled.swift`.
public struct RewardDispatcherCore: Sendable {
    public enum Event: Sendable {
        /// The time `dueAt` has come. The world's clock may have been set meanwhile; `quietMilliseconds`, by a clock that only
        /// rises, is how long no order to pay the grant has been under way, nil while one is.
        /// `givenAgo`: how long ago this program first gave the present order, to the number that is still the device's, by a
        /// clock that does not sleep; nil if it did not.
        case due(now: UnixMilliseconds, quietMilliseconds: Int64?, givenAgo: Int64? = nil)
        /// The program has started, and whatever it was told before is lost.
        case restarted(now: UnixMilliseconds)
        /// The home was restored: in the life that was lost it may have been paid.
        case restored(now: UnixMilliseconds)
        /// It is not to be paid before a time, for the reason told.
        case held(String, until: UnixMilliseconds)
        case answered(ProviderAnswer, to: ProviderCall, now: UnixMilliseconds)
        /// Something is odd about its record: it waits for a person.
        case suspected(Suspicion)
        /// A person has found out what became of it, or what is to become of one that is suspected.
        case decided(DecidedResult, why: String, now: UnixMilliseconds)
        /// Its subject was erased. What certainly was not paid will not be; what may have been is asked about as ever.
        case erased(isBusy: Bool, now: UnixMilliseconds)
    }

    public enum Action: Sendable, Equatable {
        /// Move the amount in the ledger.
        case move(from: LedgerAccount.Kind, to: LedgerAccount.Kind)
        /// Call the provider, once all of this is committed.
        case call(ProviderCall)
        /// The provider has said two things that cannot both be true; a person has to look at its statement.
        case contradiction(String)
    }

    /// After which a grant that is held as too many devices share its number is looked at again.
    static let holdPause: UnixMilliseconds = 6 * 3_600_000

    /// The reason of a grant that waits for something to pay from.
    static let noFloat = "held: nothing is left with the provider to pay from"

    /// The reason of a grant of unknown outcome about which nobody can be asked.
    static let needsDecision = "the provider cannot be asked about it; see \"nkul admin rewards settle\""

    /// An order that was not taken up waits as long as one that has failed so often.
    private static let putBackPause = 7

    public internal(set) var grant: Grant
    let schedule: PaymentSchedule

    public init(_ grant: Grant, _ schedule: PaymentSchedule) {
        self.grant = grant
        self.schedule = schedule
    }

    /// Takes in what happened and says what to do about it; nothing if it changes nothing.
    public mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .due(let now, nil, _):
            grant.dueAt = now + 2 * schedule.callTimeout
            return []
        case .due(let now, let quiet?, let givenAgo): return due(now, quiet, givenAgo)
        case .restarted(let now):
            guard grant.state == .sent || grant.state == .asked else { return [] }
            change(to: .unknown, now, dueAt: now)
            return []
        case .restored(let now): return askFirst(now)
        case .held(let reason, let until):
            guard grant.state == .pending else { return [] }
            grant.reason = reason
            grant.dueAt = until
            return []
        case .answered(let answer, let call, let now):
            if grant.state.isFinal { return toldOtherwise(answer, call, now) }
            if case .confirmed(let id) = answer { return confirm(id, call, now) }
            guard concerns(call) else { return [] }
            if case .accepted(let id) = answer { grant.providerID = id }
            return call.purpose == .pay ? paid(answer, call, now) : told(answer, call, now)
        case .suspected(let suspicion):
            guard grant.state == .pending else { return [] }
            grant.suspected = suspicion.rawValue
            grant.reason = "suspected: \(suspicion.rawValue)"
            grant.dueAt = nil
            return []
        case .decided(let result, let why, let now): return decide(result, why, now)
        case .erased(let isBusy, let now): return erase(isBusy: isBusy, now)
        }
    }

    /// As if it had been sent: the provider is asked about every attempt that may have been made, and only if none of them has
    /// paid, told to pay.
    private mutating func askFirst(_ now: UnixMilliseconds) -> [Action] {
        guard !grant.state.isFinal, grant.erased == nil || grant.state != .pending else { return [] }
        let wasPending = grant.state == .pending
        if grant.erased == nil {
            // As many may have failed as there are failures before a grant is given up; one that is under way is the first.
            let isUnderWay = !wasPending && grant.lastLostAttempt == 0
            grant.lastLostAttempt =
                max(grant.attempts, grant.lastLostAttempt)
                + max(schedule.mostAttempts - grant.failures - (isUnderWay ? 1 : 0), isUnderWay ? 0 : 1)
        }
        if wasPending { grant.begin(attempt: grant.attempts + 1) }
        change(to: .unknown, now, dueAt: now)
        return wasPending ? [.move(from: .owed, to: .float)] : []
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

    private mutating func due(_ now: UnixMilliseconds, _ quiet: Int64, _ givenAgo: Int64?) -> [Action] {
        switch grant.state {
        case .pending where grant.erased != nil: return erase(isBusy: false, now)
        case .pending where !grant.suspected.isEmpty:
            grant.dueAt = nil
            return []
        case .pending:
            grant.begin(attempt: grant.attempts + 1)
            grant.sentAt = now
            change(to: .sent, now, dueAt: now + 2 * schedule.callTimeout)
            return [.move(from: .owed, to: .float), .call(call(.pay, now, quiet))]
        case .sent, .unknown:
            guard let question = schedule.asking.question(about: grant, givenAgo: givenAgo) else {
                grant.reason = Self.needsDecision
                return waitForAPerson(now)
            }
            grant.asks += 1
            change(to: .asked, now, dueAt: now + 2 * schedule.callTimeout)
            return [.call(call(question, now, quiet))]
        case .asked:
            wait(now)
            return []
        case .confirmed, .rejected, .reversed: return askAgain(now, quiet)
        }
    }

    /// Stays unknown until a statement, or whoever has read one, says what became of it.
    private mutating func waitForAPerson(_ now: UnixMilliseconds) -> [Action] {
        if grant.state == .unknown {
            grant.dueAt = now + schedule.longestPause
        } else {
            change(to: .unknown, now, dueAt: now + schedule.longestPause)
        }
        return []
    }

    /// The answer to the order to pay. It may come late, when the provider is being asked already.
    private mutating func paid(_ answer: ProviderAnswer, _ call: ProviderCall, _ now: UnixMilliseconds) -> [Action] {
        switch answer {
        case .rejected(let reason): return reject(reason, now)
        case .failed(let reason): return tryAgain(reason, now)
        case .notTaken(let reason): return putBack(reason, now)
        case .unfunded(let reason, let isReferenceUsed):
            return isReferenceUsed ? waitForFloat(reason, now) : putBack(reason, now)
        case .reversed(let reason): return reverse(reason, call, now)
        case .confirmed: return []
        case .processing, .accepted, .notFound, .silent, .unknown:
            if grant.state == .sent { wait(now, answer) }
            return []
        }
    }

    /// The answer to a question.
    private mutating func told(_ answer: ProviderAnswer, _ call: ProviderCall, _ now: UnixMilliseconds) -> [Action] {
        switch answer {
        case .rejected(let reason): return reject(reason, now)
        case .reversed(let reason): return reverse(reason, call, now)
        case .failed(let reason): return tryAgain(reason, now)
        case .unfunded(let reason, _): return waitForFloat(reason, now)
        case .notFound where call.quietMilliseconds >= schedule.settle:
            return tryAgain("the provider never received it", now)
        case .notFound:
            wait(now, answer)
            grant.dueAt = max(grant.dueAt ?? now, now + schedule.settle - call.quietMilliseconds)
            return []
        case .confirmed: return []
        case .processing, .accepted, .notTaken, .silent, .unknown:
            wait(now, answer)
            return []
        }
    }

    /// Answers to earlier attempts and earlier questions say nothing about the present one.
    private func concerns(_ call: ProviderCall) -> Bool {
        guard call.attempt == grant.attempts else { return false }
        switch call.purpose {
        case .pay: return grant.state != .pending
        case .ask, .payAgain: return grant.state == .asked && call.ask == grant.asks
        }
    }

    /// - Parameter call: which was answered, perhaps about an earlier attempt that was said to have failed.
    private mutating func confirm(_ id: String, _ call: ProviderCall, _ now: UnixMilliseconds) -> [Action] {
        let isOwed = grant.state == .pending
        confirmed(id, call, now)
        return (isOwed ? [.move(from: .owed, to: .float)] : []) + [.move(from: .float, to: .paid)]
    }

    mutating func reject(_ reason: String, _ now: UnixMilliseconds) -> [Action] {
        grant.reason = reason
        settle(.rejected, now)
        return [.move(from: .float, to: .budget)]
    }

    /// It was paid, which nobody has heard here, and taken back.
    private mutating func reverse(_ reason: String, _ call: ProviderCall, _ now: UnixMilliseconds) -> [Action] {
        let moves = confirm(reason, call, now)
        settle(.reversed, now)
        return moves + [.move(from: .paid, to: .budget)]
    }

    mutating func tryAgain(_ reason: String, _ now: UnixMilliseconds) -> [Action] {
        if grant.attempts < grant.lastLostAttempt {
            grant.begin(attempt: grant.attempts + 1)
            change(to: .unknown, now, dueAt: now)
            return []
        }
        // Nobody is left to be paid.
        if grant.erased != nil { return reject(reason, now) }
        // An attempt that is not known to have been made has not failed.
        if grant.lastLostAttempt == 0 { grant.failures += 1 }
        grant.lastLostAttempt = 0
        guard grant.failures < schedule.mostAttempts else {
            return reject("given up after \(grant.failures) attempts: \(reason)", now)
        }
        grant.reason = reason
        change(to: .pending, now, dueAt: now + schedule.pause(after: grant.failures, grant.id))
        return [.move(from: .float, to: .owed)]
    }

    /// The attempt was made when nothing was left to pay from: there is another one later, and no failure is counted.
    private mutating func waitForFloat(_ reason: String, _ now: UnixMilliseconds) -> [Action] {
        if grant.lastLostAttempt > 0 {
            // As it counted as no failure in the life that was lost, there may have been one more.
            grant.lastLostAttempt += 1
            grant.begin(attempt: grant.attempts + 1)
            change(to: .unknown, now, dueAt: now)
            return []
        }
        if grant.erased != nil { return reject(reason, now) }
        grant.reason = reason
        change(to: .pending, now, dueAt: now + schedule.pause(after: Self.putBackPause, grant.id))
        return [.move(from: .float, to: .owed)]
    }

    /// The attempt was not made: it is made later, under the same reference, and no failure is counted.
    private mutating func putBack(_ reason: String, _ now: UnixMilliseconds) -> [Action] {
        if grant.erased != nil { return reject(reason, now) }
        grant.reason = reason
        grant.attempts -= 1
        change(to: .pending, now, dueAt: now + schedule.pause(after: Self.putBackPause, grant.id))
        return [.move(from: .float, to: .owed)]
    }

    private mutating func wait(_ now: UnixMilliseconds, _ answer: ProviderAnswer? = nil) {
        switch answer {
        case .unknown(let reason), .silent(let reason), .notTaken(let reason): grant.reason = reason
        default: break
        }
        change(to: .unknown, now, dueAt: now + schedule.pause(after: grant.asks, grant.id))
    }

    mutating func change(to state: GrantState, _ now: UnixMilliseconds, dueAt: UnixMilliseconds?) {
        grant.state = state
        grant.changedAt = now
        grant.dueAt = dueAt
    }

    func call(_ purpose: ProviderCall.Purpose, _ now: UnixMilliseconds, _ quiet: Int64) -> ProviderCall {
        ProviderCall(
            purpose: purpose, grant: grant.id,
            reference: grant.reference ?? PaymentReference(grant.id, attempt: grant.attempts),
            providerID: grant.providerID, device: grant.device, amount: grant.amount, attempt: grant.attempts,
            ask: purpose == .pay ? 0 : grant.asks, at: now, quietMilliseconds: quiet)
    }
}
