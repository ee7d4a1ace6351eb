/// Prometheus' text format (version 0.0.4).
enum MetricsText {
    static func text(of metrics: Metrics) -> String {
        var text = ""
        for (name, family) in metrics.snapshot {
            text += "# HELP \(name) \(family.help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n"))\n"
            text += "# TYPE \(name) \(family.type)\n"
            for (labels, instrument) in family.members.sorted(by: { $0.key < $1.key }) {
                text += lines(name, labels, instrument)
            }
        }
        return text
    }

    static func labels(_ labels: KeyValuePairs<String, String>) -> String {
        labels.map { "\($0.key)=\"\(escaped($0.value))\"" }.joined(separator: ",")
    }

    private static func lines(_ name: String, _ labels: String, _ instrument: Metrics.Instrument) -> String {
        switch instrument {
        case .counter(let counter): sample(name, labels, "\(counter.value)")
        case .gauge(let gauge): sample(name, labels, shown(gauge.value, gauge.divisor))
        case .reading(_, let divisor, let read): sample(name, labels, shown(read(), divisor))
        case .histogram(let histogram): buckets(name, labels, histogram)
        }
    }

    private static func buckets(_ name: String, _ labels: String, _ histogram: Histogram) -> String {
        let prefix = labels.isEmpty ? "" : labels + ","
        let cumulative = histogram.cumulative
        var text = ""
        for (bound, count) in zip(histogram.bounds, cumulative) {
            text += sample("\(name)_bucket", "\(prefix)le=\"\(shown(bound, histogram.divisor))\"", "\(count)")
        }
        text += sample("\(name)_bucket", "\(prefix)le=\"+Inf\"", "\(cumulative.last!)")
        text += sample("\(name)_sum", labels, shown(histogram.sum, histogram.divisor))
        return text + sample("\(name)_count", labels, "\(cumulative.last!)")
    }

    private static func sample(_ name: String, _ labels: String, _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    private static func shown(_ value: Int64, _ divisor: Int64) -> String {
        divisor == 1 ? "\(value)" : "\(Double(value) / Double(divisor))"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
