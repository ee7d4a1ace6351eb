import PipelineTesting
import Testing

@testable import ServiceKit
import SocketTesting

/// The page of metrics and what the services really show.
@Suite(.timeLimit(.minutes(2))) struct MetricsPageTests {
    /// Families in a service's text: name → type and the labels of its members.
    private func families(_ text: String) -> [String: (type: String, labels: Set<String>)] {
        var families: [String: (type: String, labels: Set<String>)] = [:]
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                families[String(words[2])] = (String(words[3]), [])
            } else if !line.hasPrefix("#"), let brace = line.firstIndex(of: "{") {
                var name = String(line[..<brace])
                for suffix in ["_bucket", "_sum", "_count"] where families[name] == nil && name.hasSuffix(suffix) {
                    name.removeLast(suffix.count)
                }
                let keys = line.matches(of: /([a-z_]+)="/).map { String($0.output.1) }.filter { $0 != "le" }
                families[name]?.labels.formUnion(keys)
            }
        }
        return families
    }

    @Test func `every name at /metrics is on the page with its type and labels, and the other way round`() async throws
    {
        let house = try House()
        for (service, host) in house.hosts { ProcessMetrics.register(in: host.metrics, service: service) }
        // Until every service has looked at its lanes once, and a reader has told ingest of itself.
        #expect(
            try await eventually {
                house.hosts.allSatisfy { service, host in
                    let text = MetricsText.text(of: host.metrics)
                    return text.contains(
                        service == .ingest ? "nkul_lane_reader_seen_timestamp_seconds{" : "nkul_lane_lag_seconds{")
                }
            })
        try await house.stop()
        let page = try MetricsPage()
        for (service, host) in house.hosts {
            let text = MetricsText.text(of: host.metrics)
            #expect(MetricsRules.problems(in: text) == [], "\(service.rawValue)")
            #expect(try MetricsRules.promtool(text) ?? "" == "", "\(service.rawValue)")
            let shown = families(text), listed = page.entries(of: service)
            #expect(Set(shown.keys).subtracting(listed.keys) == [], "\(service.rawValue) shows what the page lacks")
            #expect(Set(listed.keys).subtracting(shown.keys) == [], "\(service.rawValue) lacks what the page lists")
            for (name, family) in shown {
                #expect(family.type == listed[name]?.type, "\(name)")
                guard !family.labels.isEmpty else { continue }
                #expect(family.labels == listed[name]?.labels, "\(name)")
            }
        }
    }

    /// So that a rule that finds nothing has something to find.
    @Test(arguments: [
        ("a_milliseconds_total", "gauge", 2), ("a_total", "gauge", 1), ("a", "counter", 1), ("a_count", "gauge", 1),
        ("aB", "gauge", 1), ("a_ms", "gauge", 1), ("a_gauge", "gauge", 1), ("a_days", "gauge", 1),
        ("a_seconds_total", "counter", 0), ("a_seconds", "histogram", 0),
    ])
    func `names that promtool finds wrong are found here`(name: String, type: String, count: Int) throws {
        let text = "# HELP \(name) A.\n# TYPE \(name) \(type)\n"
        let sample =
            type == "histogram" ? "\(name)_bucket{le=\"+Inf\"} 1\n\(name)_sum 1\n\(name)_count 1\n" : "\(name) 1\n"
        #expect(MetricsRules.problems(in: text + sample).count == count)
        if let said = try MetricsRules.promtool(text + sample) { #expect(said.isEmpty == (count == 0), "\(said)") }
    }

    @Test func `no name is listed twice, and all that alerts ask for is listed`() throws {
        let page = try MetricsPage()
        #expect(page.entries.count > 40)
        #expect(Set(page.entries.map(\.name)).count == page.entries.count)
        let names = Set(page.entries.map(\.name))
        for expression in page.text.split(separator: "\n").filter({ $0.contains(" expr: ") }) {
            for word in expression.matches(of: /nkul_[a-z_]+/).map({ String($0.output) }) {
                #expect(names.contains(word) || names.contains(word.replacing("_bucket", with: "")), "\(word)")
            }
        }
    }
}
