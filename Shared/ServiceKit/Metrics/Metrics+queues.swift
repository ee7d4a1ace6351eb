extension Metrics {
    /// Shows a bounded queue, in the shape that all have: `nkul_queue_depth` and `nkul_queue_limit`, labels `queue` and
    /// `unit`.
    ///
    /// - Parameters:
    ///   - unit: what is counted: `rows`, `bytes`, `blocks`, `requests`.
    ///   - depth: read when somebody looks; from any thread, must not block.
    public func queue(_ name: String, unit: String, limit: Int, depth: @escaping @Sendable () -> Int) {
        gauge("nkul_queue_depth", Self.depthHelp, labels: ["queue": name, "unit": unit]) { Int64(depth()) }
        gauge("nkul_queue_limit", Self.limitHelp, labels: ["queue": name, "unit": unit]).set(Int64(limit))
    }

    /// What does not fit into a queue, as `nkul_queue_refused_total{queue="…"}`.
    public func queueRefusals(_ name: String) -> Counter {
        counter("nkul_queue_refused_total", Self.refusedHelp, labels: ["queue": name])
    }

    static let depthHelp = "What waits in a bounded queue."
    static let limitHelp = "What may wait in a bounded queue at most."
    static let refusedHelp = "What was refused because a queue was full."
}
