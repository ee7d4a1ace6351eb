public import Models

/// What a rule of shares counts of one subject in a minute.
public struct RuleCount: Sendable, Hashable {
    public let rule: String
    public let owner: Scope
    public let subject: RuleSubject
    /// The last minute that the watermark has passed.
    public let minute: UnixMilliseconds
    /// Devices that said something within the window that ends with the minute, and those of them whose latest value is bad.
    public let all, bad: Int
}

extension RuleEngine {
    /// What rules of kind `ratio` count, of subjects of which anything is known.
    public var counts: [RuleCount] {
        runs.filter { $0.rule.kind == .ratio }.flatMap { run -> [RuleCount] in
            guard let settled = run.settled else { return [] }
            return run.states.compactMap { state in
                guard let state, !state.window.entries.isEmpty else { return nil }
                let latest = state.window.latest()
                return RuleCount(
                    rule: run.rule.id, owner: Scope(scheme: run.rule.ownerScheme, number: state.key.owner),
                    subject: state.key.named(by: run.rule), minute: Minutes.time(settled), all: latest.all,
                    bad: latest.bad)
            }
        }
    }
}
