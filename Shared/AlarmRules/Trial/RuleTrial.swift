public import Models

/// Plays rows of the past through rules, as the router would have met them: rows when they were received, the watermark behind them.
///
/// Pure, as ``RuleEngine`` is. Confined to one thread.
public struct RuleTrial: Sendable {
    private struct Name: Hashable {
        let rule: String
        let owner: Scope
        let subject: RuleSubject
        let episode: Int64
    }

    /// What was found, in the order in which it was told.
    public private(set) var alarms: [TriedAlarm] = []
    private var engine: RuleEngine
    private var places: [Name: Int] = [:]

    /// - Parameter budget: most bytes of its windows.
    public init(_ rules: [AlarmRule], budget: Int = RuleEngine.usualBudget) {
        engine = RuleEngine(rules, budget: budget)
    }

    /// What each rule has done, by its name.
    public var figures: [String: RuleFigures] { engine.figures }

    /// What rules of shares count now.
    public var counts: [RuleCount] { engine.counts }

    /// Notes that somebody was heard, by a row that no rule needs.
    public mutating func hear(at time: UnixMilliseconds) { engine.hear(at: time) }

    /// Goes on to a moment up to which all rows were received.
    ///
    /// - Parameter toldAt: when what it finds is told; the moment itself if not said.
    public mutating func advance(to moment: UnixMilliseconds, toldAt: UnixMilliseconds? = nil) {
        take(engine.advance(to: moment), at: toldAt ?? moment)
    }

    /// Takes in a row that was received at a moment.
    ///
    /// - Parameter value: the stored value of a column of the row; nil if it has none.
    public mutating func add(
        _ row: RuleRow, receivedAt moment: UnixMilliseconds, _ value: (_ column: UInt8) -> Int64?
    ) {
        take(engine.add(row, value), at: moment)
    }

    private mutating func take(_ transitions: [RuleTransition], at moment: UnixMilliseconds) {
        for one in transitions {
            let name = Name(rule: one.rule, owner: one.owner, subject: one.subject, episode: one.episode)
            if let place = places[name] {
                alarms[place].apply(one)
            } else {
                places[name] = alarms.count
                alarms.append(TriedAlarm(one, toldAt: moment))
            }
        }
    }
}
