internal import ServiceKit
public import ServiceLifecycle

/// The running privacy worker: reads the requests lane, writes the privacy lane.
public struct PrivacyWorkerService: Service {
    let host: ServiceHost
    let threads: LaneThreads

    /// Until the program is asked to stop or a thread has failed; the step it is in is committed before it returns.
    public func run() async throws {
        try await threads.run { try await host.serve() }
    }
}
