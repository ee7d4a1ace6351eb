/// Which alarms are asked for: at most so many, older than one.
struct ImpactQuery: Sendable, Equatable {
    var limit = ImpactAnswer.mostAlarms
    /// `next` of the page before; nil from the newest on.
    var after: ImpactPosition?

    init() {}

    init(limit: Substring?, after: Substring?) throws(Problem) {
        if let limit {
            guard let number = Int(limit), (1...ImpactAnswer.mostAlarms).contains(number) else {
                throw Problem(.badLimit, "a page has 1 to \(ImpactAnswer.mostAlarms) alarms", field: "limit")
            }
            self.limit = number
        }
        if let after {
            guard let position = ImpactPosition(text: after) else { throw Problem(.badCursor, field: "after") }
            self.after = position
        }
    }
}
