import Models
import QoE

/// Constants of ``ServiceFigures`` for a generation.
struct ServiceKindFigures: Sendable {
    /// What is reached of Shannon's bound (TR 36.942 annex A.2 has 0.6).
    let share: Double
    /// bit/s/Hz, of the best modulation and number of streams.
    let highestEfficiency: Double
    /// ms of an idle cell with good radio.
    let base: Double
    /// ms, scale of waiting for others.
    let queue: Double
    /// ms of one repetition over the air.
    let round: Double

    init(_ technology: Technology) {
        switch technology {
        case .g5: (share, highestEfficiency, base, queue, round) = (0.6, 7, 24, 8, 6)
        case .g4: (share, highestEfficiency, base, queue, round) = (0.6, 5.5, 34, 14, 10)
        case .g3: (share, highestEfficiency, base, queue, round) = (0.45, 3.6, 85, 30, 30)
        default: (share, highestEfficiency, base, queue, round) = (0.4, 1.1, 420, 120, 120)
        }
    }
}
