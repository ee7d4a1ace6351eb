import Models
import QoE

/// One technology of an operator on one band, with the grid its base stations stand on.
struct RadioLayer: Sendable {
    let type: NetworkType
    /// MHz.
    let frequency: Double
    /// MHz that traffic can use.
    let bandwidth: Double
    /// Effective radiated power in the direction of a sector, dBm, of what a phone measures: one resource element (LTE, NR),
    /// the pilot channel (UMTS), the carrier (GSM).
    let power: Double
    /// What thermal noise (with a noise figure of 7 dB) is in the same bandwidth, dBm.
    let noise: Double
    /// Metres between base stations in towns; 0: none.
    let townSpacing: Double
    /// Metres between base stations along roads and around towns; 0: none.
    let ruralSpacing: Double
    /// Towns with fewer people have no base station.
    let leastPopulation: UInt64
    /// Weakest signal that a phone stays on, dBm.
    let minimum: Double
    /// ARFCN of the band's middle.
    let channel: Int64

    static func nr3500(leastPopulation: UInt64) -> RadioLayer {
        RadioLayer(
            type: .nrNSA, frequency: 3_500, bandwidth: 40, power: 34, noise: -122, townSpacing: 800, ruralSpacing: 0,
            leastPopulation: leastPopulation, minimum: -108, channel: 636_666)
    }

    static func lte1800(spacing: Double, leastPopulation: UInt64, bandwidth: Double = 20) -> RadioLayer {
        RadioLayer(
            type: .lte, frequency: 1_800, bandwidth: bandwidth, power: 30, noise: -125, townSpacing: spacing,
            ruralSpacing: 0, leastPopulation: leastPopulation, minimum: -112, channel: 1_575)
    }

    static func lte800(townSpacing: Double, ruralSpacing: Double) -> RadioLayer {
        RadioLayer(
            type: .lte, frequency: 800, bandwidth: 10, power: 32, noise: -125, townSpacing: townSpacing,
            ruralSpacing: ruralSpacing, leastPopulation: 0, minimum: -122, channel: 6_300)
    }

    static func umts2100(spacing: Double) -> RadioLayer {
        RadioLayer(
            type: .hspaPlus, frequency: 2_100, bandwidth: 5, power: 46, noise: -110, townSpacing: spacing,
            ruralSpacing: 0, leastPopulation: 0, minimum: -106, channel: 10_700)
    }

    static func umts900(townSpacing: Double, ruralSpacing: Double) -> RadioLayer {
        RadioLayer(
            type: .hspa, frequency: 900, bandwidth: 5, power: 46, noise: -110, townSpacing: townSpacing,
            ruralSpacing: ruralSpacing, leastPopulation: 0, minimum: -110, channel: 3_010)
    }

    static func gsm900(townSpacing: Double, ruralSpacing: Double) -> RadioLayer {
        RadioLayer(
            type: .edge, frequency: 900, bandwidth: 0.2, power: 55, noise: -114, townSpacing: townSpacing,
            ruralSpacing: ruralSpacing, leastPopulation: 0, minimum: -104, channel: 62)
    }
}
