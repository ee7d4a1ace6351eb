internal import ExporterAPI
internal import ExporterOperations
internal import ExporterStores
internal import ExporterSupport
internal import Lanes
internal import Models
internal import ServiceKit
internal import ServiceLifecycle
internal import ZeroMQ

/// Runs the exporter: reads lanes on a thread of its own, answers requests, until it is asked to stop or a
/// thread has failed.
struct ExporterService: Service {
    /// How often followers of alarms hear that the stream is alive.
    private static let heartbeat = 15

    let host: ServiceHost
    let context: Context
    let sockets: SocketThread
    let lanes: LaneServer
    let client: LaneClient
    let loop: EffectLoop
    let desk: OperationsDesk
    let workshop: ExportWorkshop
    let bell: AlarmBell
    let server: HTTPServer<ExporterAPI>

    func run() async throws {
        sockets.start()
        defer {
            loop.stop()
            desk.close()
            workshop.stop()
            sockets.stop()
            lanes.stop()
            context.shutdown()
        }
        try lanes.start()
        try client.start()
        loop.start { [stop = host.stop, desk] failure in
            desk.close()
            if let failure { stop.fail(failure) }
        }
        workshop.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                // Streams of alarms never end by themselves; the server waits for them when it stops.
                defer { bell.close() }
                try await host.stop.wait()
            }
            group.addTask { await watch() }
            try await group.next()
            try await group.next()
            group.cancelAll()
        }
    }

    /// Each second: readiness of the lanes; from time to time: the heartbeat.
    private func watch() async {
        var seconds = 0
        while !Task.isCancelled {
            host.readiness.show(loop.statuses)
            seconds += 1
            if seconds % Self.heartbeat == 0 { bell.ring() }
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
