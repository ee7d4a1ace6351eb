import Foundation
import Models
import QoE

/// What data feels like on a cell. ``init(of:_:)`` has the model; `docs/simulation.md` explains it.
struct ServiceFigures: Sendable {
    /// kbit/s.
    let download, upload: Double
    /// ms.
    let latency, jitter: Double
    /// %.
    let loss: Double

    /// ms from the network's edge to servers, many of them abroad.
    private static let path = 40.0

    /// - Parameter random: scheduling, other users, servers.
    init(of reading: RadioReading, _ random: inout SplitMix64) {
        let kind = ServiceKindFigures(reading.layer.type.technology)
        let linear = exp(max(-10, reading.sinr) * 0.230_258_509)
        let efficiency = min(kind.highestEfficiency, kind.share * log2(1 + linear))
        let free = 1 - reading.load
        let luck = exp(0.8 * random.normal() - 0.6)
        let most = reading.station.isRural ? 25_000.0 : 180_000
        download = min(most, reading.layer.bandwidth * 1_000 * efficiency * free * luck)
        // The weaker transmitter: 8 dB less, a third of the efficiency of the other direction at most.
        let up = min(kind.highestEfficiency / 3, kind.share * log2(1 + linear * 0.16))
        upload = min(
            most / 2, reading.layer.bandwidth * 700 * up * (1 - 0.6 * reading.load) * exp(0.5 * random.normal()))
        let waiting = kind.queue * reading.load * reading.load / (1 - reading.load)
        let repeated = kind.round * max(0, 6 - reading.sinr) / 6
        latency = kind.base * exp(0.22 * random.normal()) + waiting * exp(0.4 * random.normal()) + repeated + Self.path
        jitter = (0.25 * kind.base + 0.5 * waiting + 0.5 * repeated) * exp(0.6 * random.normal())
        let radio = 6 / (1 + exp((reading.sinr + 5) / 1.5))
        let crowding = max(0, reading.load - 0.9) * 80
        let draws = random.unit() * random.unit()
        loss = random.chance(0.6) ? min(100, draws * (radio + crowding) * 2) : min(100, draws * (radio + crowding))
    }
}

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
