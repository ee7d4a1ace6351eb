import Models

/// What a phone hears of the cell it is on.
struct RadioReading: Sendable {
    let layer: RadioLayer
    let station: BaseStation
    /// 0…2.
    let sector: Int
    /// Strength of what is measured (``RadioLayer/power``), dBm.
    let level: Double
    /// Of what carries data, dB.
    let sinr: Double
    /// RSRQ, dB; of use on LTE and NR only.
    let quality: Double
    /// Share of the cell's capacity that others use, 0…1.
    let load: Double
}
