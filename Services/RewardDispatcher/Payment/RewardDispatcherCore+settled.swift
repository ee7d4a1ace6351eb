internal import Models

/// What is settled can still be told otherwise: a payment is taken back, one that failed turns out to have been made.
///
///     confirmed ──reversed, not paid on being asked again──▶ reversed
///     rejected  ──────────────────confirmed────────────────▶ confirmed
///     reversed  ──────confirmed on being asked again───────▶ confirmed
///
/// A payment is asked about again a while after it was settled (``PaymentSchedule/recheck``), and when somebody hints that
/// there is news.
extension RewardDispatcherCore {
    /// How many pauses long a provider that tells nothing is asked again.
    private static let mostRechecks: UnixMilliseconds = 7

    /// Puts down that the attempt that was asked about was paid.
    mutating func confirmed(_ id: String, _ call: ProviderCall, _ now: UnixMilliseconds) {
        grant.reason = id
        grant.paidAttempt = call.attempt
        if call.attempt == grant.attempts { grant.providerID = id }
        settle(.confirmed, now)
    }

    /// It is asked about again, unless an earlier attempt than the present one was paid.
    mutating func settle(_ state: GrantState, _ now: UnixMilliseconds) {
        change(to: state, now, dueAt: nil)
        grant.dueAt = secondLook
    }

    /// When it is looked at a second time since it was settled; nil if never.
    private var secondLook: UnixMilliseconds? {
        let isPresent = grant.paidAttempt == 0 || grant.paidAttempt == grant.attempts
        guard isPresent, grant.erased == nil, grant.attempts > 0 else { return nil }
        return schedule.recheck.map { grant.changedAt + $0 }
    }

    /// Asks whether what is settled still holds.
    mutating func askAgain(_ now: UnixMilliseconds, _ quiet: Int64) -> [Action] {
        guard grant.erased == nil, grant.attempts > 0,
            schedule.asking.question(about: grant, givenAgo: nil) == .ask
        else {
            grant.dueAt = nil
            return []
        }
        grant.asks += 1
        grant.dueAt = now + 2 * schedule.callTimeout
        return [.call(call(.ask, now, quiet))]
    }

    /// An answer about a grant that is settled.
    mutating func toldOtherwise(
        _ answer: ProviderAnswer, _ call: ProviderCall, _ now: UnixMilliseconds
    ) -> [Action] {
        let isLatest = call.purpose == .ask && call.attempt == grant.attempts && call.ask == grant.asks
        if isLatest {
            // Asked before its time, as somebody hinted, it is asked once more when that has come.
            let later = secondLook.flatMap { now < $0 ? $0 : nil }
            grant.dueAt = later ?? (answer.isUseless ? nextRecheck(now) : nil)
        }
        switch (grant.state, answer) {
        case (.rejected, .confirmed(let id)):
            confirmed(id, call, now)
            return [.move(from: .budget, to: .paid)]
        case (.reversed, .confirmed(let id)) where isLatest:
            confirmed(id, call, now)
            return [.move(from: .budget, to: .paid)]
        case (.confirmed, .reversed(let reason)) where call.attempt == grant.paidAttempt: return takeBack(reason, now)
        case (.confirmed, .rejected(let reason)) where isLatest: return takeBack(reason, now)
        case (.confirmed, .failed(let reason)) where isLatest: return takeBack(reason, now)
        case (.confirmed, .unfunded(let reason, _)) where isLatest: return takeBack(reason, now)
        case (.rejected, .reversed(let reason)):
            grant.reason = reason
            change(to: .reversed, now, dueAt: nil)
            return [.move(from: .budget, to: .paid), .move(from: .paid, to: .budget)]
        case (.confirmed, .confirmed) where call.attempt != grant.paidAttempt:
            return [.contradiction("attempts \(grant.paidAttempt) and \(call.attempt) were both paid")]
        case (.confirmed, .notFound) where isLatest:
            return [.contradiction("confirmed, and now the provider says that it was not paid")]
        default: return []
        }
    }

    private mutating func takeBack(_ reason: String, _ now: UnixMilliseconds) -> [Action] {
        grant.reason = reason
        change(to: .reversed, now, dueAt: nil)
        return [.move(from: .paid, to: .budget)]
    }

    private func nextRecheck(_ now: UnixMilliseconds) -> UnixMilliseconds? {
        guard let pause = schedule.recheck, now < grant.changedAt + Self.mostRechecks * pause else { return nil }
        return now + pause
    }
}

extension ProviderAnswer {
    /// True if it says neither that something was paid nor that it was not.
    fileprivate var isUseless: Bool {
        switch self {
        case .processing, .accepted, .notTaken, .silent, .unknown: true
        case .confirmed, .reversed, .rejected, .failed, .unfunded, .notFound: false
        }
    }
}
