import NIOCore
import NIOPosix
import ServiceKit

/// The connections of a pool and the requests that wait for one. Confined to the event loop.
final class LoadConnections {
    private let loop: any EventLoop
    private let bootstrap: ClientBootstrap
    private let host: String
    private let port: Int
    private let limit: Int
    private let timeout: TimeAmount
    let security: LoadSecurity?
    private var open = 0
    private var idle: [LoadConnection] = []
    private var all: [ObjectIdentifier: LoadConnection] = [:]
    private var waiting = CircularBuffer<(LoadRequest, LoadPool.Completion)>()
    private var isClosed = false

    init(
        loop: any EventLoop, host: String, port: Int, limit: Int, timeout: TimeAmount, security: LoadSecurity? = nil
    ) {
        self.security = security
        self.loop = loop
        self.host = host
        self.port = port
        self.limit = limit
        self.timeout = timeout
        bootstrap = ClientBootstrap(group: loop)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(.seconds(10))
    }

    func send(_ request: LoadRequest, _ completion: @escaping LoadPool.Completion) {
        guard !isClosed else { return completion(.failure(.closed)) }
        if let connection = idle.popLast() { return connection.send(request, completion) }
        waiting.append((request, completion))
        if open < limit { connect() }
    }

    func close() {
        isClosed = true
        for (_, completion) in waiting { completion(.failure(.closed)) }
        waiting.removeAll()
        for connection in all.values { connection.close() }
    }

    /// A connection has nothing to do.
    func rest(_ connection: LoadConnection) {
        if let (request, completion) = waiting.popFirst() {
            connection.send(request, completion)
        } else {
            idle.append(connection)
        }
    }

    /// A connection is gone.
    func forget(_ connection: LoadConnection) {
        guard all.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        open -= 1
        idle.removeAll { $0 === connection }
        if !waiting.isEmpty, open < limit, !isClosed { connect() }
    }

    private func connect() {
        open += 1
        let connection = LoadConnection(owner: self, timeout: timeout)
        all[ObjectIdentifier(connection)] = connection
        let bound = NIOLoopBound(connection, eventLoop: loop)
        bootstrap.channelInitializer { [security] channel in
            channel.eventLoop.makeCompletedFuture {
                if let security { try channel.pipeline.syncOperations.addHandler(security.handler()) }
                try channel.pipeline.syncOperations.addHandler(bound.value)
            }
        }
        .connect(host: host, port: port)
        .assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success: isClosed ? connection.close() : rest(connection)
            case .failure(let error): unreachable(connection, Self.cause(error))
            }
        }
    }

    /// `Connection refused`, without what the library adds.
    private static func cause(_ error: any Error) -> String {
        let first = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
        return (first as? IOError).map { ErrnoText.of($0.errnoCode) } ?? "\(first)"
    }

    /// One request fails for each connection that could not be made, so that senders see it and wait.
    private func unreachable(_ connection: LoadConnection, _ cause: String) {
        all.removeValue(forKey: ObjectIdentifier(connection))
        open -= 1
        if let (_, completion) = waiting.popFirst() { completion(.failure(.unreachable(cause))) }
        if !waiting.isEmpty, open < limit, !isClosed { connect() }
    }
}
