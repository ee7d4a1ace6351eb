/// An erasure as ingest took it.
struct TakenErasure {
    let device: UInt64
    let erasure: SimulatedErasure
    /// When it was committed, Unix milliseconds.
    let at: Int64
}
