import Foundation

/// Formulas of the radio channel. Pure; `docs/simulation.md` has their sources.
enum RadioModel {
    /// Loss between antennas in a town, dB (3GPP TR 36.942 §4.5.2 with antennas 15 m above the roofs).
    static func townLoss(frequency: Double, metres: Double) -> Double {
        58.8 + 21 * log10(frequency) + 37.6 * log10(max(35, metres) / 1_000)
    }

    /// Loss between antennas in open country, dB (Hata's rural formula in TR 36.942 §4.5.3, antennas at 45 m).
    static func ruralLoss(frequency: Double, metres: Double) -> Double {
        let decades = log10(frequency)
        return 5.76 + 44.49 * decades - 4.78 * decades * decades + 34.08 * log10(max(35, metres) / 1_000)
    }

    /// What a sector loses off its main direction, dB (TR 36.942 §4.2.1: 65° wide, 20 dB front to back).
    static func antennaLoss(degreesOff: Double) -> Double {
        let share = degreesOff / 65
        return min(12 * share * share, 20)
    }

    /// Share of the time a cell sends on what carries data, of its load: pilots and control channels never rest.
    static func activity(_ load: Double) -> Double { 0.25 + 0.75 * load }

    static func milliwatts(_ dBm: Double) -> Double { exp(dBm * 0.230_258_509) }
    static func decibels(_ ratio: Double) -> Double { 10 * log10(ratio) }

    /// RSRQ, dB, from the load of the serving cell (0…1) and interference and noise over signal as a ratio: the definition of
    /// TS 36.214 §5.1.3 with two pilots in twelve subcarriers always sent.
    static func rsrq(load: Double, interferenceOverSignal: Double) -> Double {
        -decibels(2 + 10 * load + 12 * interferenceOverSignal)
    }

    /// Shadowing with deviation 1 that is alike for neighbouring places (Gudmundson 1991), by blending chance on a lattice of
    /// 60 m; half of it is common to all base stations.
    static func shadowing(_ noise: WorldNoise, site: Int, at place: PlanePoint) -> Double {
        let spacing = 60.0
        let east = (place.east / spacing).rounded(.down), north = (place.north / spacing).rounded(.down)
        let right = place.east / spacing - east, up = place.north / spacing - north
        var sum = 0.0, squares = 0.0
        for (column, row, weight) in [
            (0, 0, (1 - right) * (1 - up)), (1, 0, right * (1 - up)), (0, 1, (1 - right) * up), (1, 1, right * up),
        ] {
            let corner = (Int(east) + column, Int(north) + row)
            sum += weight * (noise.normal(corner.0, corner.1, site) + noise.normal(corner.0, corner.1, 0))
            squares += weight * weight * 2
        }
        return sum / squares.squareRoot()
    }
}
