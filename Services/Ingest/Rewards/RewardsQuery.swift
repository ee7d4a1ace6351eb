/// Which grants are asked for: at most so many, older than one.
struct RewardsQuery: Sendable, Equatable {
    var limit = RewardsAnswer.mostGrants
    /// `next` of the page before; nil from the newest on.
    var after: GrantPosition?

    init() {}

    init(limit: Substring?, after: Substring?) throws(Problem) {
        if let limit {
            guard let number = Int(limit), (1...RewardsAnswer.mostGrants).contains(number) else {
                throw Problem(.badLimit, field: "limit")
            }
            self.limit = number
        }
        if let after {
            guard let position = GrantPosition(text: after) else {
                throw Problem(.badCursor, field: "after")
            }
            self.after = position
        }
    }
}
