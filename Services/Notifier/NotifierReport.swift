/// What one commit did, for figures and logs.
struct NotifierReport: Sendable {
    /// Deliveries that were made.
    var made = 0
    /// Calls that were answered, by what became of them: `delivered`, `failed`, `gone`.
    var calls: [String: Int] = [:]
    /// Deliveries that were given up.
    var dead = 0
    /// Alarms that a channel was not told of, as too much waits for it.
    var refused = 0
    /// One-time codes that no usable channel of their contact can tell.
    var codesUnsent = 0
    /// Rows of the alerts lane that are no alarms, and others that cannot be read.
    var unreadable = 0
    /// Whom a call does not reach: contacts without a channel that can be used, and such channels.
    var unreachable: [String] = []
    /// Failures, for the log: channel and reason.
    var failures: [(channel: String, reason: String)] = []
    /// Channels that cannot be used and why, when that changed.
    var problems: [String: String]?
    /// Questions to subscribers that have ended, by what became of them.
    var questions: [QuestionEnd: Int] = [:]
    /// Subscribers' browsers that can be asked.
    var subscriptions: Int64 = 0
    var usable = 0
    var waiting: Int64 = 0
    var inFlight = 0
}
