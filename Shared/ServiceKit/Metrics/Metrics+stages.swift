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
