public import ServiceLifecycle

extension ServiceHost {
    /// Runs the service's servers, if it has any, until the program is asked to stop or a thread has failed: the body of
    /// nearly every `run()`.
    ///
    /// Servers that answer a stop by themselves (``HTTPServer``) finish what they have begun.
    ///
    /// - Throws: what a server threw or what was given to `stop.fail(_:)`, whichever came first; the other servers are
    ///   then cancelled.
    public func serve(_ servers: any Service...) async throws { try await serve(servers) }

    /// The same of servers that are known when the service runs.
    public func serve(_ servers: [any Service]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { try await server.run() } }
            group.addTask { [stop] in try await stop.wait() }
            try await group.next()
            if !Task.isShuttingDownGracefully { group.cancelAll() }
            try await group.waitForAll()
        }
    }
}
