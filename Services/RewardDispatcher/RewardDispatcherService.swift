internal import ServiceKit
public import ServiceLifecycle

/// The running reward dispatcher: reads feedback and campaigns, writes the lane of rewards, calls the provider.
public struct RewardDispatcherService: Service {
    let host: ServiceHost
    let threads: LaneThreads
    let provider: any RewardProvider
    /// What calls the provider, and what looks how much is left with it.
    let servers: [any Service]

    /// Until the program is asked to stop or a thread has failed; the step it is in is committed before it returns. Calls on
    /// the way are given up and asked about after the next start.
    public func run() async throws {
        do {
            try await threads.run { try await host.serve(servers) }
        } catch {
            await provider.close()
            throw error
        }
        await provider.close()
    }
}
