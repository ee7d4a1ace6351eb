/// What a world keeps for how long, and when days pass in it: drawn from the seed, of most worlds nothing.
struct RetentionPlan {
    /// Everybody sleeps while phones are still sending.
    struct Nap {
        /// Milliseconds after the begin of the run.
        let at: Int64
        let hours: Int64
        /// A reader is away from before the nap until after the run that follows it.
        let hasSlowReader: Bool
    }

    /// Everybody sleeps when phones have said everything.
    struct Night {
        /// Until so many milliseconds after the midnight (UTC) before the first night.
        let until: Int64
        /// It is asked what a run would do. None is due then.
        let asksWhatWouldGo: Bool
        /// Services die around the run, and messages get lost.
        let isStormy: Bool
        /// Somebody has everything erased meanwhile.
        var eraser: Int?
    }

    /// Thousandths of worlds in which something goes.
    private static let share = 180
    private static let shareOfLostHomes = 400
    private static let day: Int64 = 86_400_000
    /// The daily run, 03:30 in Douala.
    private static let runsAt: Int64 = 9_000_000

    /// Days by kind, as the settings name them.
    let days: [String: Int]
    let naps: [Nap]
    let nights: [Night]

    /// - Parameters:
    ///   - span: how long phones send, milliseconds.
    ///   - isHomeLost: days pass only when the last home is restored and phones have said everything.
    init?(seed: UInt64, span: Int64, isHomeLost: Bool) {
        // Of its own, so that what is drawn here shifts nothing else of a seed.
        var random = SeededRandom(seed: seed &* 127 &+ 5)
        guard random.chance(isHomeLost ? Self.shareOfLostHomes : Self.share) else { return nil }
        let days = [
            "raw_rows": random.pick([1, 1, 2]), "open_rows": 9, "receipts": 8,
            "failed_authentications": random.pick([1, 2]),
            "journals": 1, "contributions": 30, "alarms": random.pick([30, 31]), "reward_links": 30, "ledger": 365,
            "erasure_notices": 30, "consents": 365,
        ]
        self.days = days
        let naps = (0..<random.pick([0, 1, 1, 2])).map { _ in
            Nap(
                at: Int64(random.within(500...Int(span))), hours: Int64(random.pick([20, 24, 47, 48])),
                hasSlowReader: random.chance(500))
        }
        self.naps = isHomeLost ? [] : naps
        // Around the days on which something is to go, and not a day earlier.
        let turns = Set(days.values).union([8]).flatMap { [$0, $0 + 1, $0 + 2] }
        var chosen: Set<Int> = []
        for _ in 0..<random.within(1...3) { chosen.insert(random.pick(turns.sorted())) }
        nights = chosen.sorted().flatMap { Self.nights(on: Int64($0), &random) }
    }

    /// A day with its run; before some it is asked what would go, when the run of the day before is over.
    private static func nights(on number: Int64, _ random: inout SeededRandom) -> [Night] {
        let midnight = number * day, isStormy = random.chance(600)
        var run = Night(
            until: midnight + runsAt + Int64(random.within(60_000...60_000_000)), asksWhatWouldGo: false,
            isStormy: isStormy)
        guard number > 1, random.chance(450) else {
            if random.chance(250) { run.eraser = random.below(RandomWorld.phones) }
            return [run]
        }
        return [
            Night(until: midnight - 1_800_000, asksWhatWouldGo: false, isStormy: false),
            Night(
                until: midnight + Int64(random.within(300_000...8_000_000)), asksWhatWouldGo: true,
                isStormy: random.chance(300)),
            run,
        ]
    }
}
