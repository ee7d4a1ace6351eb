internal import Models
public import ServiceKit

/// Every setting of the aggregator.
public struct BatchAggregatorConfiguration: ServiceConfiguration {
    public let common: CommonConfiguration
    /// `NKUL_BATCH_AGGREGATOR_GATHER_MS`: least time between two commits of open rows, unless no block has come
    /// for 0.1 s.
    public let gather: Duration
    /// `NKUL_BATCH_AGGREGATOR_MINIMUM_DEVICES`: of a cell that stays when its bucket is sealed.
    public let minimumDevices: Int
    /// `NKUL_RELEASES_K`: least devices of a released figure.
    let releaseDevices: Int
    /// `NKUL_RELEASES_TRUST`: which devices count for it.
    let releaseTrust: TrustPolicy

    /// - Throws: `ServiceError` of code `usage`.
    public init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
        gather = try settings.value(
            .milliseconds(
                "NKUL_BATCH_AGGREGATOR_GATHER_MS", default: 500, in: 0...60_000,
                "least time between two commits of open rows, unless none has come for 0.1 s; each syncs a file for every day concerned"
            ))
        minimumDevices = try settings.value(
            .integer(
                "NKUL_BATCH_AGGREGATOR_MINIMUM_DEVICES", default: AggregatorEffects.usualMinimumDevices, in: 2...1_000,
                unit: "devices",
                "of a statistics cell that stays when its bucket is sealed; cells of fewer go"))
        releaseDevices = try settings.value(
            .integer(
                "NKUL_RELEASES_K", default: 10, in: 5...1_000, unit: "devices", "the least of a released figure"))
        releaseTrust = try settings.value(
            .trust(
                "NKUL_RELEASES_TRUST", default: .trusted,
                "which devices' rows are released: any device's, not those of new ones in their first 24 hours, trusted ones'"
            ))
    }
}
