internal import Models

/// What a person found out about a grant that nobody can be asked about.
public enum DecidedResult: String, Sendable, CaseIterable {
    /// The provider's statement has it.
    case paid
    /// It has it not: to be paid again.
    case failed
    /// It has it not, and nobody is to be paid.
    case rejected
}

extension RewardDispatcherCore {
    /// Of an outcome that is unknown; what is known, or is being asked, is not decided by anybody.
    mutating func decide(_ result: DecidedResult, _ why: String, _ now: UnixMilliseconds) -> [Action] {
        let reason = "decided: \(why)"
        guard grant.state == .unknown else { return [] }
        switch result {
        case .failed: return tryAgain(reason, now)
        case .rejected: return reject(reason, now)
        case .paid:
            grant.reason = reason
            grant.paidAttempt = grant.attempts
            settle(.confirmed, now)
            return [.move(from: .float, to: .paid)]
        }
    }
}
