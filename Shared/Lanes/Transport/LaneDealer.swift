internal import Logging
internal import Models
internal import ZeroMQ

/// One lane's DEALER socket and the reader's decisions behind it. Touched on the socket thread only.
final class LaneDealer: @unchecked Sendable {
    // Sendable: as LaneRouter.
    private var core: LaneReaderCore
    private let endpoint: LaneEndpoint
    private let inbox: WaitableState<LaneInbox>
    private let log: Logger
    private var socket: SocketHandle?
    private var handshakes = HandshakeFailures()

    init(core: LaneReaderCore, endpoint: LaneEndpoint, inbox: WaitableState<LaneInbox>, log: Logger) {
        self.core = core
        self.endpoint = endpoint
        self.inbox = inbox
        self.log = log
    }

    func open(_ loop: SocketLoop) throws {
        var options = SocketOptions(security: endpoint.security)
        options.sendHighWater = 0
        options.receiveHighWater = 0
        options.maximumFrameBytes = 80 << 20
        let socket = try loop.open(.dealer, options: options, connect: endpoint.address)
        self.socket = socket
        loop.onReceive(socket) { [self] frames in received(frames, loop) }
        try loop.onConnection(socket) { [self] event in
            connection(event, loop)
        }
        handle(.tick(now: Monotonic.milliseconds), loop)
        loop.every(.seconds(1)) { [self] in handle(.tick(now: Monotonic.milliseconds), loop) }
    }

    func handle(_ event: LaneReaderCore.Event, _ loop: SocketLoop) {
        let before = core.status, beat = core.heartbeat
        for action in core.handle(event) {
            switch action {
            case .send(let request): send(request, loop)
            case .deliver(let block): inbox.change { [lane = core.lane] in $0.add(LaneBlock(lane: lane, block: block)) }
            case .skip(let position): inbox.withLock { $0.skip(position) }
            case .missed(let blocks):
                log.error(
                    "blocks gone before they were read",
                    metadata: ["lane": "\(core.lane.rawValue)", "blocks": "\(blocks)"])
                inbox.withLock { [lane = core.lane] in $0.miss(blocks, lane) }
            }
        }
        let status = core.status
        guard status != before || core.heartbeat != beat || isTick(event) else { return }
        inbox.withLock { [lane = core.lane, head = core.head, beat = core.heartbeat, heardAt = core.heardAt] in
            $0.set(status, lane)
            $0.learn(head: head, lane)
            $0.hear(beat, at: heardAt, lane)
        }
        if status != before, !status.isSound { log.error("\(status.sentence(core.lane))") }
    }

    /// Once a second it is shown when the writer was last heard, also if it sends no heartbeats.
    private func isTick(_ event: LaneReaderCore.Event) -> Bool { if case .tick = event { true } else { false } }

    private func connection(_ event: ConnectionEvent, _ loop: SocketLoop) {
        switch event {
        case .handshakeSucceeded:
            handshakes.succeeded()
            handle(.connected(now: Monotonic.milliseconds), loop)
        case .handshakeFailed(let code):
            guard handshakes.failed(code, at: Monotonic.milliseconds) else { return }
            log.error(
                "the writer of a lane refuses this service's keys: both need the same lanes.* files",
                metadata: ["lane": "\(core.lane.rawValue)", "address": "\(endpoint.address)", "code": "\(code)"])
        default: break
        }
    }

    private func received(_ frames: [Frame], _ loop: SocketLoop) {
        do {
            handle(.received(try LaneReply(frames: frames), now: Monotonic.milliseconds), loop)
        } catch {
            log.warning("lane message dropped", metadata: ["lane": "\(core.lane.rawValue)", "error": "\(error)"])
        }
    }

    /// Without a connection nothing is sent; the core asks again.
    private func send(_ request: LaneRequest, _ loop: SocketLoop) {
        guard let socket else { return }
        _ = try? loop.send(request.frames(), on: socket)
    }
}

/// Tells keys that are refused from a writer that starts or goes in the middle of a handshake.
///
/// A writer that does not know the reader's key says so (ZAP's 400). To a reader that has the wrong key of the writer it says
/// nothing, as at any connection that breaks: only that goes on for as long as it is tried.
struct HandshakeFailures: Equatable {
    /// ZAP's status for a key that is refused (RFC 27).
    static let refused: Int32 = 400
    /// Milliseconds for which handshakes break before that is taken for wrong keys.
    static let patience: Int64 = 10_000
    /// Milliseconds without a broken handshake after which the next one is another event. Connections that are refused are tried
    /// again every two seconds.
    static let pause: Int64 = 5_000

    private var since: Int64?
    private var last: Int64?
    private var isTold = false

    mutating func succeeded() { self = HandshakeFailures() }

    /// Whether it is to be said that keys are refused, which is said once.
    ///
    /// - Parameter now: of a clock that only rises.
    mutating func failed(_ code: Int32, at now: Int64) -> Bool {
        let isAnother = last.map { now - $0 > Self.pause } ?? true
        let since = isAnother ? now : since ?? now
        (self.since, last) = (since, now)
        guard !isTold, code == Self.refused || now - since >= Self.patience else { return false }
        isTold = true
        return true
    }
}
