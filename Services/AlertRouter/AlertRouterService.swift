internal import Lanes
internal import ServiceKit
public import ServiceLifecycle

/// The running alert router: reads the real-time lane, writes the alarms lane, and serves the alert endpoints.
public struct AlertRouterService: Service {
    let host: ServiceHost
    let threads: LaneThreads
    let windows: AlertWindows
    let life: AlertLife

    /// Until the program is asked to stop or a thread has failed. What is committed is published before it returns.
    public func run() async throws {
        defer { life.end(after: threads.loop.failure, host.logger) }
        try await threads.run {
            defer { windows.stop() }
            try windows.start(threads.loop)
            try await host.serve()
        }
    }
}
