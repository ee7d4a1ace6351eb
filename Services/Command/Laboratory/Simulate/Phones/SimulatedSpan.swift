import Models

/// Something that was so for one phone for a time, by true time.
struct SimulatedSpan: Sendable, Encodable, Equatable {
    let device: String
    let from_ms: UnixMilliseconds
    let to_ms: UnixMilliseconds
}
