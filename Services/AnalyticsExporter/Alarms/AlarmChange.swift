/// What happened to one alarm: its new document, or that it is gone.
struct AlarmChange: Equatable, Sendable {
    /// Rises by one a change, of whichever alarm; the event id of the stream.
    let sequence: Int64
    /// The alarm's identifier.
    let alarm: String
    /// TMF642 JSON as the router wrote it; nil if the alarm is gone.
    let document: [UInt8]?
}
