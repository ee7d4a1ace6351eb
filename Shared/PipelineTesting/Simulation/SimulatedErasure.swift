/// What a subscriber wants erased.
struct SimulatedErasure {
    let phone: Int
    let at: Int64
    var request: String
    /// Times of capture, Unix milliseconds; nil: everything.
    let times: Range<Int64>?

    /// Draws who has what erased; of most worlds nobody has.
    static func random(seed: UInt64, phones: Int, start: Int64, span: Int64) -> [SimulatedErasure] {
        var random = SeededRandom(seed: seed)
        guard random.chance(500) else { return [] }
        return (0..<random.within(1...3)).map { number in
            let from = start - Int64(random.below(7_200_000))
            return SimulatedErasure(
                phone: random.below(phones), at: start + Int64(random.within(500...Int(span))),
                request: "request-\(number)",
                times: random.chance(350) ? from..<from + Int64(random.within(1...3_600_000)) : nil)
        }
    }
}
