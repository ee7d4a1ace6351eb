internal import Lanes
public import Models
public import ServiceKit

/// The composition root of the aggregator: opens its folder and wires its effects to the lanes it reads and writes.
///
/// - Throws: `ServiceError`, `StorageError`, `ZeroMQError` or `LaneError` naming what cannot be used, and where.
@Sendable
public func buildBatchAggregator(
    _ configuration: BatchAggregatorConfiguration, _ host: ServiceHost, _ programmes: Programmes
) throws -> BatchAggregatorService {
    let figures = AggregatorFigures(host.metrics)
    let folder = try AggregatorFolder(configuration, host, programmes, figures: figures, releases: true)
    let threads = try LaneThreads(
        // Its only timer is the cadence of folds, which spares the machine.
        host, configuration.common, folder.engine, clock: host.systemClock,
        EffectLoopOptions(
            name: "aggregator", gather: configuration.gather, niceness: 10,
            idleClass: Messenger(), onStep: { outcome, _ in figures.show(step: outcome) }))
    return BatchAggregatorService(host: host, threads: threads)
}
