internal import ServiceKit
public import ServiceLifecycle

/// The running aggregator: reads measurements of both lanes, writes the lane of statistics.
public struct BatchAggregatorService: Service {
    let host: ServiceHost
    let threads: LaneThreads

    /// Until the program is asked to stop or a thread has failed; the step it is in is committed before it returns.
    public func run() async throws {
        try await threads.run { try await host.serve() }
    }
}
