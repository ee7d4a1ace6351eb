package import IngestUploads
package import ServiceKit

/// What bodies of Geosubmit had in them. Lock-free; from any thread.
package struct GeosubmitMetrics: Sendable {
    private let counters: [GeosubmitTally.Part: Counter]

    package init(_ metrics: Metrics) {
        counters = GeosubmitTally.Part.allCases.reduce(into: [:]) { counters, part in
            counters[part] = metrics.counter(
                "nkul_ingest_geosubmit_total", "What bodies of Geosubmit had in them, and what was left out of them",
                labels: ["part": part.rawValue])
        }
    }

    package func count(_ tally: GeosubmitTally) {
        for (part, counter) in counters where tally[part] > 0 { counter.add(tally[part]) }
    }
}
