internal import Models

/// What a person says becomes of a grant that waits for one: nobody can be asked about it, or it is suspected.
public enum DecidedResult: String, Sendable, CaseIterable {
    /// The provider's statement has it.
    case paid
    /// It has it not: to be paid again.
    case failed
    /// It has it not, or is suspected with reason, and nobody is to be paid.
    case rejected
    /// Of a grant that is suspected: it is paid all the same.
    case released
}

extension RewardDispatcherCore {
    /// Of an outcome that is unknown; what is known, or is being asked, is not decided by anybody.
    mutating func decide(_ result: DecidedResult, _ why: String, _ now: UnixMilliseconds) -> [Action] {
        let reason = "decided: \(why)"
        if grant.state == .pending, !grant.suspected.isEmpty { return decideSuspected(result, reason, now) }
        guard grant.state == .unknown else { return [] }
        switch result {
        case .released: return []
        case .failed: return tryAgain(reason, now)
        case .rejected: return reject(reason, now)
        case .paid:
            grant.reason = reason
            grant.paidAttempt = grant.attempts
            settle(.confirmed, now)
            return [.move(from: .float, to: .paid)]
        }
    }

    private mutating func decideSuspected(
        _ result: DecidedResult, _ reason: String, _ now: UnixMilliseconds
    ) -> [Action] {
        switch result {
        case .paid, .failed: return []
        case .released:
            grant.suspected = ""
            grant.reason = reason
            grant.dueAt = now
            return []
        case .rejected:
            grant.reason = reason
            change(to: .rejected, now, dueAt: nil)
            return [.move(from: .owed, to: .budget)]
        }
    }
}
