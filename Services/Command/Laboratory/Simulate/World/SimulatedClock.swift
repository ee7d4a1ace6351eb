import Models

/// A phone's clock: off by a constant, and from some time on by more and more.
struct SimulatedClock: Sendable, Equatable {
    /// Milliseconds ahead of true time.
    var offset: Int64 = 0
    /// Milliseconds gained in an hour while it drifts.
    var drift = 0.0
    var driftFrom: UnixMilliseconds = 0
    var driftTo: UnixMilliseconds = 0

    /// What it shows. Never goes back.
    func time(at truth: UnixMilliseconds) -> UnixMilliseconds {
        guard drift != 0 else { return truth + offset }
        let hours = Double(max(0, min(truth, driftTo) - driftFrom)) / 3_600_000
        return truth + offset + Int64((drift * hours).rounded())
    }
}
