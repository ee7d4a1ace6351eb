internal import IngestAPI
internal import IngestCommit
internal import IngestEdge
internal import IngestPanels
internal import Logging
internal import ServiceKit
public import ServiceLifecycle

/// nkul-ingest: HTTP in front, one commit thread, the lanes behind.
public struct IngestService: Service {
    let host: ServiceHost
    let http: EdgeServer
    let panels: PanelServer?
    let datagrams: PanelDatagrams?
    let sockets: LaneSockets
    let commits: CommitThread
    let copies: Copies

    /// Serves until the program is asked to stop or a thread has failed. Uploads that were handed over are committed and
    /// answered; no thread outlives the call.
    public func run() async throws {
        defer { close() }
        // In the order of the flow: no commits after the last answer, no pushes after the last commit.
        try await sockets.run(
            stop: {
                commits.stop()
                copies.stop()
            },
            {
                commits.start()
                try copies.start()
                host.readiness.hold("lanes")
                try await http.start()
                var servers: [any Service] = [http]
                if let panels {
                    try await panels.start()
                    servers.append(panels)
                }
                if let datagrams {
                    try await datagrams.start()
                    servers.append(datagrams)
                }
                try await host.serve(servers)
            })
    }

    private func close() {
        do {
            try commits.close()
            try copies.close()
        } catch {
            host.logger.warning("closing the database failed", metadata: ["error": "\(error)"])
        }
    }
}
