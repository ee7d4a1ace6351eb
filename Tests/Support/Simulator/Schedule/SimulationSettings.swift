import Models

/// What is the same in all runs.
enum SimulationSettings {
    /// When runs begin.
    static let start: UnixMilliseconds = 1_772_600_000_000
    /// Urgent records of a device that may raise alarms. Few, so that devices of a small world send more.
    static let urgentPerMinute = 4
    /// Of ingest's keys.
    static let secret = [UInt8](repeating: 7, count: 32)
}
