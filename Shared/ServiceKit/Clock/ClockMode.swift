/// What the clocks of services follow (`NKUL_CLOCK`).
public enum ClockMode: String, CaseIterable, Sendable, Codable {
    /// The system's clock.
    case wall
    /// A recording, while `nkul replay --clock` plays one; else the system's clock.
    case recording
}
