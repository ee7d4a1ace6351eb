import AggregatorReleasing
import ServiceKit

/// What was released, at `/metrics`. Usable from any thread.
struct ReleaseMetrics: Sendable {
    /// Levels from which on places are told apart, the last one for whole networks.
    private static let levels = [
        (name: "16", from: 16), (name: "12", from: 12), (name: "6", from: 6), (name: "network", from: 0),
    ]
    private static let classes = ["provisional", "technology", "final"]

    private let releases: [String: Counter]
    private let atoms: Counter
    private let samples: [Counter]
    private let withheld: Counter
    private let noConsent, notTrusted, unknownNetwork: Counter

    init(_ metrics: Metrics) {
        releases = Dictionary(
            uniqueKeysWithValues: Self.classes.map { name in
                (
                    name,
                    metrics.counter("nkul_releases_total", "Releases that were issued.", labels: ["class": name])
                )
            })
        atoms = metrics.counter("nkul_release_atoms_total", "Atoms of the releases that were issued.")
        func samples(_ level: String) -> Counter {
            metrics.counter(
                "nkul_release_samples_total",
                "Samples of releases by the level of their atom, this one or finer; withheld: of too few devices in the whole network.",
                labels: ["level": level])
        }
        self.samples = Self.levels.map { samples($0.name) }
        withheld = samples("withheld")
        func left(_ reason: String) -> Counter {
            metrics.counter(
                "nkul_release_rows_left_total",
                "Rows that were in no release: without consent, of devices that are not trusted, of a network that is not known.",
                labels: ["reason": reason])
        }
        noConsent = left("consent")
        notTrusted = left("trust")
        unknownNetwork = left("network")
    }

    func show(_ figures: ReleaseFigures) {
        for (name, count) in figures.releases { releases[name]?.add(count) }
        atoms.add(figures.atoms)
        var finer = figures.released.count
        for (counter, level) in zip(samples, Self.levels) {
            counter.add(Int(figures.released[level.from..<finer].reduce(0, +)))
            finer = level.from
        }
        withheld.add(Int(figures.withheld))
        noConsent.add(figures.left.noConsent)
        notTrusted.add(figures.left.notTrusted)
        unknownNetwork.add(figures.left.unknownNetwork)
    }
}
