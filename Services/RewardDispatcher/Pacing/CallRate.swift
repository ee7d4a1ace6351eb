/// How many calls may be made now: at most so many a second, a second's worth at once. Pure.
///
/// Its time is that of a clock that only rises, in milliseconds.
struct CallRate {
    private let perSecond: Int64
    /// Thousandths of a call that may still be made.
    private var credit: Int64
    private var time: Int64

    /// - Parameter perSecond: calls; 0 is without limit.
    init(perSecond: Int, at time: Int64) {
        self.perSecond = Int64(perSecond)
        self.time = time
        credit = self.perSecond * 1_000
    }

    /// Calls that may be made now.
    mutating func room(at now: Int64) -> Int {
        guard perSecond > 0 else { return .max }
        credit = min(credit + max(now - time, 0) * perSecond, perSecond * 1_000)
        time = max(now, time)
        return Int(credit / 1_000)
    }

    mutating func take(_ calls: Int) { if perSecond > 0 { credit -= Int64(calls) * 1_000 } }

    /// Milliseconds until a call may be made; 0 if one may be made now.
    var pause: Int64 { perSecond == 0 || credit >= 1_000 ? 0 : (1_000 - credit + perSecond - 1) / perSecond }
}
