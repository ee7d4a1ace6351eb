internal import Models
internal import ServiceKit
internal import Synchronization
internal import ZeroMQ

/// One tenant's pair of sockets: PUB for live alarms and heartbeats, ROUTER for replay. Confined to the socket thread.
final class AlertEndpoint {
    static let heartbeatTopic = Frame("alerts/heartbeat".utf8)
    /// Messages that wait for one slow subscriber; what does not fit it asks for by REPLAY.
    static let publishHighWater: Int32 = 10_000
    /// What a subscriber may send: a request of three short frames.
    static let longestRequestFrame: Int64 = 1_024

    private let loop: SocketLoop
    private let tenant: AlertTenant
    private let generation: UInt64
    private let clock: WallClock
    private let publisher: SocketHandle
    private let replayer: SocketHandle
    private let replays: ReplayServer
    private var beats: TimerHandle?
    private let emptyBody = BodyDeflater().deflate(Array("{}".utf8))
    private var lastSeq: Int64

    /// Binds both sockets and begins to beat.
    ///
    /// - Parameters:
    ///   - lastSeq: the last committed number.
    ///   - generation: of the alarms journal, so that subscribers notice a restored home.
    init(
        _ tenant: AlertTenant, at address: AlertAddress, security: SocketSecurity, lastSeq: Int64, generation: UInt64,
        heartbeat: Duration = .seconds(1), reader: ReplayReader, clock: WallClock, loop: SocketLoop,
        thread: SocketThread,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) throws {
        self.tenant = tenant
        self.lastSeq = lastSeq
        self.generation = generation
        self.clock = clock
        self.loop = loop
        var options = SocketOptions(security: security)
        options.maximumFrameBytes = Self.longestRequestFrame
        options.sendHighWater = Self.publishHighWater
        publisher = try loop.open(.pub, options: options, bind: address.publish)
        options.sendHighWater = Int32(ReplayReader.pageMessages)
        options.receiveHighWater = 100
        do {
            replayer = try loop.open(.router, options: options, bind: address.replay)
        } catch {
            loop.close(publisher)
            throw error
        }
        replays = ReplayServer(replayer, reader: reader, loop: loop, thread: thread, onFailure: onFailure)
        beats = loop.every(heartbeat) { [weak self] in self?.beat() }
    }

    /// Ends both sockets, their connections and their answers.
    func close() {
        if let beats { loop.cancel(beats) }
        replays.close()
        loop.close(publisher)
        loop.close(replayer)
    }

    /// Addresses as bound.
    var bound: AlertAddress { AlertAddress(publish: publisher.endpoint, replay: replayer.endpoint) }

    /// Sends messages of a transaction that is committed, in the order of their numbers.
    func publish(_ messages: [AlertMessage]) {
        for message in messages {
            // PUB never blocks; it can only fail when the context ends, and then REPLAY has the message.
            _ = try? loop.send(message.frames, on: publisher)
            lastSeq = max(lastSeq, message.seq)
        }
    }

    /// Says the last number given out. It follows that number's message on the same socket, so a heartbeat that is ahead
    /// of a subscriber means that the subscriber missed something, or that it has another prefix.
    private func beat() {
        let header = AlertHeader.heartbeat(tenant: tenant, seq: lastSeq, generation: generation, time: clock.now())
        _ = try? loop.send([Self.heartbeatTopic, header, emptyBody], on: publisher)
    }
}
