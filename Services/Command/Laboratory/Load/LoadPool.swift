public import NIOCore
import NIOPosix
import Synchronization

/// Keep-alive HTTP/1.1 connections to one address, all on one event loop; one request at a time on each.
///
/// Made for load: requests are bytes laid out beforehand, and a completion that sends the next request stays on the loop.
/// When all connections are busy, requests wait in the order they came; who sends bounds them. Safe from any thread.
public final class LoadPool: Sendable {
    /// Called on the event loop, once for each request.
    public typealias Completion = @Sendable (Result<LoadResponse, LoadFailure>) -> Void

    private let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let core: NIOLoopBound<LoadConnections>
    private let isClosed = Atomic(false)

    /// - Parameters:
    ///   - connections: most of them; each is made when it is needed, and again when it was lost.
    ///   - timeout: from sending a request to the end of its answer.
    public convenience init(host: String, port: Int, connections: Int, timeout: TimeAmount = .seconds(30)) throws {
        try self.init(host: host, port: port, connections: connections, timeout: timeout, security: nil)
    }

    /// - Parameter security: nil for clear text.
    init(host: String, port: Int, connections: Int, timeout: TimeAmount, security: LoadSecurity?) throws {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        self.loop = loop
        core = try loop.submit {
            NIOLoopBound(
                LoadConnections(
                    loop: loop, host: host, port: port, limit: connections, timeout: timeout, security: security),
                eventLoop: loop)
        }.wait()
    }

    /// Sends a request when a connection is free.
    public func send(_ request: LoadRequest, completion: @escaping Completion) {
        guard !isClosed.load(ordering: .acquiring) else { return completion(.failure(.closed)) }
        if loop.inEventLoop {
            core.value.send(request, completion)
        } else {
            loop.execute { [core] in core.value.send(request, completion) }
        }
    }

    /// Sends a request and waits for its answer. Cancelling does not take it back.
    public func send(_ request: LoadRequest) async throws(LoadFailure) -> LoadResponse {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<LoadResponse, LoadFailure>, Never>) in
            send(request) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Does something on the event loop after a time.
    public func after(_ delay: TimeAmount, _ body: @escaping @Sendable () -> Void) {
        loop.scheduleTask(in: delay, body)
    }

    /// Closes all connections; what has no answer yet fails.
    public func shutdown() async {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        loop.execute { [core] in core.value.close() }
        try? await group.shutdownGracefully()
    }
}
