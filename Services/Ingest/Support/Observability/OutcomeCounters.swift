package import ServiceKit

/// A counter of each outcome that there is, by the label `outcome`. Lock-free; from any thread.
package struct OutcomeCounters<Outcome: CaseIterable & Hashable & RawRepresentable<String> & Sendable>: Sendable {
    private let counters: [Outcome: Counter]

    package init(_ metrics: Metrics, _ name: String, _ help: String) {
        counters = Outcome.allCases.reduce(into: [:]) { counters, outcome in
            counters[outcome] = metrics.counter(name, help, labels: ["outcome": outcome.rawValue])
        }
    }

    package func count(_ outcome: Outcome, _ count: Int = 1) { counters[outcome]?.add(count) }
}
