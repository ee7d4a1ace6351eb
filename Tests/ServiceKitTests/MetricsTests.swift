import Testing

@testable import ServiceKit

struct MetricsTests {
    @Test func `figures are shown in Prometheus text, sorted, with their types`() {
        let metrics = Metrics()
        metrics.counter("rows_total", "Rows.", labels: ["lane": "batch"]).add(3)
        metrics.counter("rows_total", "Rows.", labels: ["lane": "a\"b\\c\nd"]).add()
        metrics.gauge("depth", "Depth.").set(-4)
        metrics.gauge("lag", "Lag.") { 9 }
        #expect(
            MetricsText.text(of: metrics) == """
                # HELP depth Depth.
                # TYPE depth gauge
                depth -4
                # HELP lag Lag.
                # TYPE lag gauge
                lag 9
                # HELP rows_total Rows.
                # TYPE rows_total counter
                rows_total{lane="a\\"b\\\\c\\nd"} 1
                rows_total{lane="batch"} 3

                """)
    }

    @Test func `a histogram's buckets are cumulative and its bounds belong to them`() {
        let metrics = Metrics()
        let histogram = metrics.histogram("wait_seconds", "Wait.", bounds: [1_000, 2_000], divisor: 1_000)
        for value: Int64 in [500, 1_000, 1_001, 9_000] { histogram.observe(value) }
        #expect(
            MetricsText.text(of: metrics) == """
                # HELP wait_seconds Wait.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{le="1.0"} 2
                wait_seconds_bucket{le="2.0"} 3
                wait_seconds_bucket{le="+Inf"} 4
                wait_seconds_sum 11.501
                wait_seconds_count 4

                """)
    }

    @Test func `what is read when somebody looks is shown in its unit and with its type`() {
        let metrics = Metrics()
        metrics.counter("cpu_seconds_total", "CPU.", divisor: 1_000) { 1_500 }
        metrics.gauge("start_seconds", "Start.", divisor: 1_000) { 250 }
        let text = MetricsText.text(of: metrics)
        #expect(text.contains("# TYPE cpu_seconds_total counter\ncpu_seconds_total 1.5\n"))
        #expect(text.contains("# TYPE start_seconds gauge\nstart_seconds 0.25\n"))
    }

    @Test func `the same name and labels are the same instrument`() {
        let metrics = Metrics()
        metrics.counter("rows_total", "Rows.").add(2)
        metrics.counter("rows_total", "Rows.").add(3)
        #expect(metrics.counter("rows_total", "Rows.").value == 5)
    }

    @Test func `counts of many threads are all counted`() async {
        let counter = Metrics().counter("rows_total", "Rows.")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<10_000 { counter.add() } } }
        }
        #expect(counter.value == 80_000)
    }

    @Test func `the process's own figures are real`() {
        let memory = ProcessMetrics.memoryBytes()
        #expect(memory.resident > 1_000_000 && memory.virtual > memory.resident)
        #expect(ProcessMetrics.cpuMicroseconds() > 0)
        #expect(ProcessMetrics.openFiles() > 2 && ProcessMetrics.openFiles() < ProcessMetrics.maximumOpenFiles())
        let now = SystemTime.unixMilliseconds(), start = ProcessMetrics.startMilliseconds()
        #expect(start <= now && start > now - 86_400_000, "tests run no longer than a day")
    }
}
