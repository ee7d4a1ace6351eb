import Models

/// What is asked of a simulation.
struct SimulationSettings: Sendable {
    var devices: Int
    var seed: UInt64
    /// The recording's rows are captured from the first to before the second.
    var start: UnixMilliseconds
    var end: UnixMilliseconds
    /// Minutes between two reports of a phone by day, on average.
    var interval: Double = 10

    /// Name of a phone; those of a farm are numbered on, so that nothing tells them apart.
    static func name(of number: Int) -> String {
        let digits = "\(number + 1)"
        return "phone-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
}
