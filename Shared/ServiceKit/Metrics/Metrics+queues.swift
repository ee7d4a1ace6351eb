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

extension Metrics {
    /// The latency of one stage of the way from a phone to an effect, as `nkul_stage_seconds{stage="…"}`.
    ///
    /// `parsed` request's head → rows checked · `committed` first row waiting → on disk · `pushed` on disk → given to the
    /// sockets · `effects` blocks in hand → effects on disk.
    public func stage(_ name: String) -> Histogram {
        latency("nkul_stage_seconds", "Latency of a stage of the way from request to effect.", labels: ["stage": name])
    }

    /// A counter of refusals for one reason, as `nkul_refused_total{reason="…"}`: somebody was told no.
    public func refusals(_ reason: String) -> Counter {
        counter("nkul_refused_total", "Requests that were refused, by reason.", labels: ["reason": reason])
    }
}
