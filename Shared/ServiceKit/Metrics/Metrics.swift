import Synchronization

/// The figures of a service, as `/metrics` shows them in Prometheus' text format.
///
/// Asking for the same name and labels twice gives the same instrument. Ask once and keep it: asking takes a lock,
/// counting does not. Names follow Prometheus: `nkul_ingest_rows_total`, `…_seconds`, `…_bytes`.
public final class Metrics: Sendable {
    enum Instrument: Sendable {
        case counter(Counter)
        case gauge(Gauge)
        case reading(Kind, divisor: Int64, @Sendable () -> Int64)
        case histogram(Histogram)

        var type: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .reading(let kind, _, _): kind.rawValue
            case .histogram: "histogram"
            }
        }
    }

    struct Family: Sendable {
        let help: String
        let type: String
        /// By the text of the labels, braces left out: `lane="batch"`.
        var members: [String: Instrument]
    }

    private let families = Mutex<[String: Family]>([:])

    public init() {}

    /// A figure that only rises.
    public func counter(_ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:]) -> Counter {
        let instrument = instrument(name, help, labels) { .counter(Counter()) }
        guard case .counter(let counter) = instrument else { preconditionFailure("\(name) is not a counter") }
        return counter
    }

    /// A figure that rises and falls.
    ///
    /// - Parameter divisor: units set per unit shown: 1 000 for milliseconds shown as seconds.
    public func gauge(
        _ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:], divisor: Int64 = 1
    ) -> Gauge {
        let instrument = instrument(name, help, labels) { .gauge(Gauge(divisor: divisor)) }
        guard case .gauge(let gauge) = instrument else { preconditionFailure("\(name) is not a gauge") }
        return gauge
    }

    /// A gauge that is read when somebody looks; `read` may come from any thread and must not block.
    ///
    /// - Parameter divisor: units read per unit shown.
    public func gauge(
        _ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:], divisor: Int64 = 1,
        read: @escaping @Sendable () -> Int64
    ) {
        _ = instrument(name, help, labels) { .reading(.gauge, divisor: divisor, read) }
    }

    /// A counter that somebody else keeps and that is read when somebody looks, as ``gauge(_:_:labels:divisor:read:)`` is.
    public func counter(
        _ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:], divisor: Int64 = 1,
        read: @escaping @Sendable () -> Int64
    ) {
        _ = instrument(name, help, labels) { .reading(.counter, divisor: divisor, read) }
    }

    /// How often a quantity was how large.
    ///
    /// - Parameters:
    ///   - bounds: upper bounds of the buckets, ascending, in the unit that is observed.
    ///   - divisor: observed units per unit shown: 1 000 000 000 for nanoseconds shown as seconds.
    package func histogram(
        _ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:], bounds: [Int64], divisor: Int64 = 1
    ) -> Histogram {
        let instrument = instrument(name, help, labels) { .histogram(Histogram(bounds: bounds, divisor: divisor)) }
        guard case .histogram(let histogram) = instrument else { preconditionFailure("\(name) is not a histogram") }
        return histogram
    }

    /// A histogram of nanoseconds, shown as seconds; end the name in `_seconds`.
    public func latency(_ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:]) -> Histogram {
        histogram(name, help, labels: labels, bounds: Histogram.latencyBounds, divisor: 1_000_000_000)
    }

    /// The types of figures, as Prometheus names them.
    public enum Kind: String, Sendable { case counter, gauge, histogram }

    /// Announces a figure that has no member yet, because its labels are not known: its name, help and type are shown.
    public func declare(_ kind: Kind, _ name: String, _ help: String) {
        families.withLock { families in
            precondition(families[name].map { $0.type == kind.rawValue } ?? true, "\(name) is of two types")
            if families[name] == nil { families[name] = Family(help: help, type: kind.rawValue, members: [:]) }
        }
    }

    /// Takes back every figure with exactly these labels: what they name is gone.
    public func withdraw(labels: KeyValuePairs<String, String>) {
        let text = MetricsText.labels(labels)
        families.withLock { families in
            for name in families.keys { families[name]?.members[text] = nil }
        }
    }

    var snapshot: [(name: String, family: Family)] {
        families.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }

    private func instrument(
        _ name: String, _ help: String, _ labels: KeyValuePairs<String, String>, make: () -> Instrument
    ) -> Instrument {
        let text = MetricsText.labels(labels)
        return families.withLock { families in
            if let known = families[name]?.members[text] { return known }
            let new = make()
            let type = new.type
            precondition(families[name].map { $0.type == type } ?? true, "\(name) is of two types")
            families[name, default: Family(help: help, type: type, members: [:])].members[text] = new
            return new
        }
    }
}
