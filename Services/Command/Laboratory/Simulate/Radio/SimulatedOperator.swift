import Models

/// An operator as the simulation invents it: how many people have its SIM, how busy it is, what it has built.
///
/// The codes are real; shares, loads and networks are not, and say nothing about the companies.
struct SimulatedOperator: Sendable {
    let plmn: PLMN
    let weight: UInt64
    /// Load of an average base station in the busiest hour, 0…1.
    let busyLoad: Double
    /// In the order in which a phone prefers them.
    let layers: [RadioLayer]

    static let cameroon: [SimulatedOperator] = [
        SimulatedOperator(
            plmn: PLMN(rawValue: 624_001), weight: 40, busyLoad: 0.62,
            layers: [
                .nr3500(leastPopulation: 1_000_000), .lte1800(spacing: 950, leastPopulation: 90_000),
                .lte800(townSpacing: 2_000, ruralSpacing: 11_000), .umts2100(spacing: 1_200),
                .gsm900(townSpacing: 1_800, ruralSpacing: 13_000),
            ]),
        SimulatedOperator(
            plmn: PLMN(rawValue: 624_002), weight: 35, busyLoad: 0.66,
            layers: [
                .nr3500(leastPopulation: 1_320_000), .lte1800(spacing: 1_050, leastPopulation: 100_000),
                .lte800(townSpacing: 2_200, ruralSpacing: 13_000), .umts900(townSpacing: 1_800, ruralSpacing: 12_000),
                .gsm900(townSpacing: 2_000, ruralSpacing: 14_000),
            ]),
        SimulatedOperator(
            plmn: PLMN(rawValue: 624_003), weight: 10, busyLoad: 0.45,
            layers: [
                .lte1800(spacing: 1_500, leastPopulation: 130_000, bandwidth: 10),
                .lte800(townSpacing: 3_200, ruralSpacing: 19_000), .gsm900(townSpacing: 2_800, ruralSpacing: 18_000),
            ]),
        SimulatedOperator(
            plmn: PLMN(rawValue: 624_004), weight: 15, busyLoad: 0.5,
            layers: [
                .lte1800(spacing: 1_600, leastPopulation: 1_000_000, bandwidth: 10), .umts2100(spacing: 1_400),
                .umts900(townSpacing: 2_400, ruralSpacing: 16_000),
                .gsm900(townSpacing: 2_400, ruralSpacing: 16_000),
            ]),
    ]
}
