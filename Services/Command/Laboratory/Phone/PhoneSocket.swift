import NIOCore
import NIOPosix
import NIOWebSocket
import NkulDevice
import ServiceKit
import Synchronization

/// The WebSocket of one phone (`docs/realtime.md`): opened for a message, closed when there was none for a minute.
///
/// Messages go one after another, each waits for its answer. Any thread.
final class PhoneSocket: Sendable {
    private let target: ReplayTarget
    private let security: LoadSecurity?
    private let group: MultiThreadedEventLoopGroup
    private let current: Mutex<(any Channel)?> = Mutex(nil)

    static let patience = TimeAmount.seconds(30)
    static let idle = TimeAmount.seconds(60)

    init(_ target: ReplayTarget, security: LoadSecurity?) {
        self.target = target
        self.security = security
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    }

    /// Sends a text and waits for the next one that comes.
    ///
    /// - Parameter opening: the request whose headers open the connection if there is none.
    /// - Returns: nil if none came in time; the connection is closed then.
    func send(_ text: [UInt8], opening: DeviceRequest) async -> [UInt8]? {
        do {
            let channel = try await channel(opening)
            let answer = channel.eventLoop.makePromise(of: [UInt8].self)
            channel.eventLoop.execute {
                // Whoever is closing completes it with an error.
                channel.pipeline.fireUserInboundEventTriggered(PhoneMessage(text: text, answer: answer))
            }
            let late = channel.eventLoop.scheduleTask(in: Self.patience) {
                answer.fail(PhoneSocketError.noAnswer)
                channel.close(promise: nil)
            }
            defer { late.cancel() }
            return try await answer.futureResult.get()
        } catch { return nil }
    }

    /// Closes what is open.
    func shutdown() async {
        let channel = current.withLock { $0 }
        try? await channel?.close().get()
        try? await group.shutdownGracefully()
    }

    private func channel(_ opening: DeviceRequest) async throws -> any Channel {
        if let open = current.withLock({ $0 }), open.isActive { return open }
        let ready = group.next().makePromise(of: Void.self)
        let key = PhoneHandshake.key(), host = "\(target.address)"
        let bootstrap = ClientBootstrap(group: group).connectTimeout(.seconds(10))
            .channelInitializer { [security] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let security { try pipeline.addHandler(security.handler()) }
                    try pipeline.addHandler(
                        PhoneHandshake(opening, host: host, key: key, ready: ready))
                }
            }
        do {
            let channel = try await bootstrap.connect(host: target.address.host, port: target.address.port).get()
            let late = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
            defer { late.cancel() }
            try await ready.futureResult.get()
            current.withLock { $0 = channel }
            return channel
        } catch {
            ready.fail(error)
            throw error
        }
    }
}

/// A text that is to be sent, and where its answer goes.
struct PhoneMessage: Sendable {
    let text: [UInt8]
    let answer: EventLoopPromise<[UInt8]>
}

enum PhoneSocketError: Error, Equatable {
    case closed, noAnswer
    /// The service does not open a WebSocket: the first line of its answer.
    case refused(String)
}
