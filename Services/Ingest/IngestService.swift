internal import IngestAPI
internal import IngestCommit
internal import IngestEdge
internal import Lanes
internal import Logging
internal import ServiceKit
public import ServiceLifecycle
internal import ZeroMQ

/// nkul-ingest: HTTP in front, one commit thread, the lanes behind.
public struct IngestService: Service {
    let host: ServiceHost
    let http: EdgeServer
    let context: Context
    let sockets: SocketThread
    let lanes: LaneServer
    let commits: CommitThread
    let copies: Copies

    /// Serves until the program is asked to stop or a thread has failed. Uploads that were handed over are committed and
    /// answered; no thread outlives the call.
    public func run() async throws {
        sockets.start()
        defer { close() }
        try lanes.start()
        commits.start()
        try copies.start()
        host.readiness.hold("lanes")
        try await http.start()
        try await host.serve(http)
    }

    /// In the order of the flow: no commits after the last answer, no pushes after the last commit.
    private func close() {
        commits.stop()
        copies.stop()
        sockets.stop()
        lanes.stop()
        context.shutdown()
        do {
            try commits.close()
            try copies.close()
        } catch {
            host.logger.warning("closing the database failed", metadata: ["error": "\(error)"])
        }
    }
}
