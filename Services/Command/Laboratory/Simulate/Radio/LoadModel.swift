/// How busy networks are over a day.
enum LoadModel {
    /// Share of the busiest hour's load at each full hour of local time: a small peak at work, a large one in the evening.
    static let profile: [Double] = [
        0.30, 0.20, 0.14, 0.11, 0.12, 0.18, 0.30, 0.45, 0.55, 0.60, 0.62, 0.65,
        0.66, 0.64, 0.62, 0.63, 0.68, 0.75, 0.85, 0.95, 1.00, 0.98, 0.80, 0.50,
    ]

    /// The same between full hours, by a straight line.
    ///
    /// - Parameter hour: of local time, 0 ..< 24.
    static func share(at hour: Double) -> Double {
        let index = min(23, max(0, Int(hour)))
        let part = hour - Double(index)
        return profile[index] * (1 - part) + profile[(index + 1) % 24] * part
    }
}
