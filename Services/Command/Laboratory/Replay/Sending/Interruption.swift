import UnixSignals

/// Ctrl-C and SIGTERM during a run.
enum Interruption {
    /// Runs `body`; a signal cancels it, and closes the connections if it has not ended 5 s later.
    ///
    /// - Returns: whether a signal came.
    static func watching(
        _ pool: LoadPool, _ body: sending @escaping () async throws -> Void, finally: () async -> Void
    ) async throws -> Bool {
        let work = Task { try await body() }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let listener = Task { () -> Bool in
            for await _ in signals {
                work.cancel()
                Task {
                    try? await Task.sleep(for: .seconds(5))
                    await pool.shutdown()
                }
                return true
            }
            return false
        }
        let result = await work.result
        listener.cancel()
        await finally()
        try result.get()
        return await listener.value && work.isCancelled
    }
}
