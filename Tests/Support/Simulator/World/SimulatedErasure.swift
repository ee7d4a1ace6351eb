/// What a subscriber wants erased.
struct SimulatedErasure {
    let phone: Int
    var at: Int64
    var request: String
    /// Times of capture, Unix milliseconds; nil: all of them.
    let times: Range<Int64>?
    /// Quadkeys, none inside another; nil: everywhere, and nowhere too.
    let cells: [String]?

    var isEverything: Bool { times == nil && cells == nil }

    /// Draws who has what erased; of most worlds nobody has.
    static func random(seed: UInt64, phones: Int, start: Int64, span: Int64) -> [SimulatedErasure] {
        var random = SeededRandom(seed: seed)
        guard random.chance(500) else { return [] }
        // Of its own, so that what is drawn here shifts nothing else of a seed.
        var places = SeededRandom(seed: ~seed)
        return (0..<random.within(1...3)).map { number in
            let from = start - Int64(random.below(7_200_000))
            return SimulatedErasure(
                phone: random.below(phones), at: start + Int64(random.within(500...Int(span))),
                request: "request-\(number)",
                times: random.chance(350) ? from..<from + Int64(random.within(1...3_600_000)) : nil,
                cells: places.chance(250) ? area(&places) : nil)
        }
    }

    /// One or two cells where phones are, from a district to a region.
    private static func area(_ random: inout SeededRandom) -> [String] {
        let cells = (0..<random.within(1...2)).compactMap { _ in
            ReferenceGeography.cell(
                latitude: random.pick([4.05, 4.0502, 3.87, 10.59]) + Double(random.below(50)) / 1e5,
                longitude: random.pick([9.7, 9.7004, 11.52, 14.31]) + Double(random.below(50)) / 1e5)
        }
        let level = random.within(7...16)
        return Set(cells.map { String($0.prefix(level)) }).sorted()
    }
}
