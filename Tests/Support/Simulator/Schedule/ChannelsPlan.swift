/// Which channels operators set and remove while alarms come and go: drawn from the seed, in most worlds none.
struct ChannelsPlan {
    struct Change {
        /// Milliseconds after the begin of the run.
        let at: Int64
        let id: String
        /// Nil removes it.
        let channel: ReferenceTelling.Channel?
    }

    /// Thousandths of the worlds that have rules.
    private static let share = 650

    let changes: [Change]

    init?(seed: UInt64, span: Int64) {
        // Of its own, so that what is drawn here shifts nothing else of a seed.
        var random = SeededRandom(seed: seed &* 223 &+ 37)
        guard random.chance(Self.share) else { return nil }
        var all = [
            ReferenceTelling.Channel(id: "hub", tenant: "regulator", contact: nil, tellsAll: true, firesOn: false),
            .init(id: "manager", tenant: "regulator", contact: nil, tellsAll: true, firesOn: true),
            .init(id: "ann", tenant: "regulator", contact: "ann", tellsAll: random.chance(500), firesOn: false),
            .init(id: "bob", tenant: "regulator", contact: "bob", tellsAll: false, firesOn: false),
            .init(id: "first", tenant: "tenant0", contact: nil, tellsAll: true, firesOn: false),
        ]
        if random.chance(400) { all.remove(at: random.below(all.count)) }
        changes = all.flatMap { channel -> [Change] in
            let at = Int64(random.below(random.chance(600) ? 1_500 : Int(span)))
            let set = Change(at: at, id: channel.id, channel: channel)
            guard random.chance(150) else { return [set] }
            return [set, Change(at: at + Int64(random.within(500...4_000)), id: channel.id, channel: nil)]
        }
    }
}
