import ServiceLifecycle

/// Where a service's threads tell its `run()` that they cannot go on.
///
/// `run()` sleeps in ``wait()`` until the program is asked to stop or a thread calls ``fail(_:)``.
public final class StopSignal: Sendable {
    private let stream: AsyncThrowingStream<Never, any Error>
    private let continuation: AsyncThrowingStream<Never, any Error>.Continuation

    public init() {
        (stream, continuation) = AsyncThrowingStream.makeStream(of: Never.self)
    }

    /// Ends the service with an error; the first one counts. From any thread.
    public func fail(_ error: any Error) { continuation.finish(throwing: error) }

    /// Ends the service without an error. From any thread.
    public func stop() { continuation.finish() }

    /// Returns when the program is asked to stop (SIGTERM, SIGINT, another service of the group ended).
    ///
    /// - Throws: the error given to ``fail(_:)``.
    public func wait() async throws {
        for try await _ in stream.cancelOnGracefulShutdown() {}
    }
}
