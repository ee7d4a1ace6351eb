/// How much of one measure a subscriber did on each local day.
///
/// A value; days without anything are not there, so that equal facts give equal tallies.
public struct DayTallies: Sendable, Equatable {
    /// Days in ascending order, each with what was done on it, above 0.
    public private(set) var days: [(day: Int64, amount: Int64)] = []

    public init() {}

    public init(_ facts: some Sequence<EngagementFact>) {
        for fact in facts { add(fact.amount, on: fact.day) }
    }

    /// All there is.
    public var total: Int64 { days.reduce(0) { $0 + $1.amount } }

    public static func == (left: DayTallies, right: DayTallies) -> Bool {
        left.days.elementsEqual(right.days) { $0 == $1 }
    }

    /// What was done on a day, 0 if nothing was.
    public subscript(day: Int64) -> Int64 {
        let place = place(of: day)
        return place < days.count && days[place].day == day ? days[place].amount : 0
    }

    /// Adds to a day; a negative amount takes out what was added before.
    public mutating func add(_ amount: Int64, on day: Int64) {
        let place = place(of: day)
        guard place < days.count, days[place].day == day else {
            precondition(amount >= 0, "nothing is taken out of a day on which nothing was done")
            if amount > 0 { days.insert((day, amount), at: place) }
            return
        }
        days[place].amount += amount
        precondition(days[place].amount >= 0, "no more is taken out of a day than was done on it")
        if days[place].amount == 0 { days.remove(at: place) }
    }

    /// What was done on the days of a range.
    public func sum(_ range: Range<Int64>) -> Int64 {
        days[place(of: range.lowerBound)..<place(of: range.upperBound)].reduce(0) { $0 + $1.amount }
    }

    /// The first day, of those there are, that is not before a day; their number if there is none.
    private func place(of day: Int64) -> Int {
        var low = 0, high = days.count
        while low < high {
            let middle = (low + high) / 2
            if days[middle].day < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
