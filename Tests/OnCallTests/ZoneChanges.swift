import Models

/// When clocks of two zones changed, and how many seconds they are ahead of UTC from then on, 2023-12-01 to 2028-02-01: as Python's
/// `zoneinfo` has them (tzdata 2025b). Casablanca goes back an hour for Ramadan.
enum ZoneChanges {
    static let all: [String: [(at: Int64, offset: Int64)]] = [
        "America/Chicago": [
            (1_701_388_800, -21_600), (1_710_057_600, -18_000), (1_730_617_200, -21_600), (1_741_507_200, -18_000),
            (1_762_066_800, -21_600), (1_772_956_800, -18_000), (1_793_516_400, -21_600), (1_805_011_200, -18_000),
            (1_825_570_800, -21_600),
        ],
        "Africa/Casablanca": [
            (1_701_388_800, 3_600), (1_710_036_000, 0), (1_713_060_000, 3_600), (1_740_276_000, 0),
            (1_743_904_800, 3_600), (1_771_120_800, 0), (1_774_144_800, 3_600), (1_801_965_600, 0),
            (1_804_989_600, 3_600), (1_832_205_600, 0),
        ],
    ]
}
