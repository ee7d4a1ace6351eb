internal import ExporterAPI
internal import ExporterOperations
internal import ExporterStores
internal import ExporterSupport
internal import ServiceKit
internal import ServiceLifecycle

/// Runs the exporter: reads lanes on a thread of its own, answers requests, until it is asked to stop or a
/// thread has failed.
struct ExporterService: Service {
    /// Seconds after which followers of alarms hear that the stream is alive.
    private static let heartbeat = 15

    let host: ServiceHost
    let threads: LaneThreads
    let changes: ChangeQueue
    let exportThread: ExportThread
    let monthThread: MonthThread
    let alarmChanges: ChangeBroadcast
    let decided: ChangeBroadcast
    let server: HTTPServer<ExporterAPI>

    func run() async throws {
        // Whoever waits for an answer of the effects is told when there can be none any more.
        try await threads.run(ended: changes.close) {
            exportThread.start()
            defer { exportThread.stop() }
            monthThread.start()
            defer { monthThread.stop() }
            try await serve()
        }
    }

    private func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                // Streams of alarms never end by themselves; the server waits for them when it stops.
                defer {
                    alarmChanges.close()
                    decided.close()
                }
                try await host.stop.wait()
            }
            group.addTask { await ringRegularly() }
            try await group.next()
            try await group.next()
            group.cancelAll()
        }
    }

    private func ringRegularly() async {
        while (try? await Task.sleep(for: .seconds(Self.heartbeat))) != nil { alarmChanges.send() }
    }
}
