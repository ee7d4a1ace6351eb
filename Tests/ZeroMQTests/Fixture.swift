import SocketTesting
import ZeroMQ

/// A started socket thread, stopped at the end of the test.
struct Fixture: ~Copyable {
    let thread: SocketThread

    init(context: Context? = nil) throws {
        thread = SocketThread(name: "test", context: try context ?? Context())
        thread.start()
    }

    deinit { thread.stop() }

    /// Opens a listening socket whose messages go to an inbox.
    func listen(
        _ kind: SocketKind, _ options: SocketOptions, at endpoint: String, into inbox: Inbox<[Frame]>,
        events: Inbox<ConnectionEvent>? = nil
    ) throws -> SocketHandle {
        try thread.call { loop in
            let handle = try loop.open(kind, options: options, bind: endpoint)
            loop.onReceive(handle) { inbox.put($0) }
            if let events { try loop.onConnection(handle) { events.put($0) } }
            return handle
        }
    }

    /// Opens a connecting DEALER that may queue before the connection stands.
    func dial(
        _ security: SocketSecurity = .local, to endpoint: String, into inbox: Inbox<[Frame]>? = nil,
        adjust: @escaping @Sendable (inout SocketOptions) -> Void = { _ in }
    ) throws -> SocketHandle {
        try thread.call { loop in
            var options = SocketOptions(security: security)
            options.immediate = false
            adjust(&options)
            let handle = try loop.open(.dealer, options: options, connect: endpoint)
            if let inbox { loop.onReceive(handle) { inbox.put($0) } }
            return handle
        }
    }

    @discardableResult
    func send(_ frames: [Frame], on handle: SocketHandle) throws -> Bool {
        try thread.call { try $0.send(frames, on: handle) }
    }
}
