internal import Dispatch
internal import Synchronization
internal import ZeroMQ

/// Answers SNAPSHOT and REPLAY requests of one tenant's endpoint. Confined to the socket thread; only pages are read
/// elsewhere, on a queue of their own, so that neither live alarms nor heartbeats wait for the disk.
///
/// Bounded: one answer per peer, one page of it in memory, `mostSessions` peers. A peer that does not read is tried again
/// every 20 ms and given up after 30 s.
final class ReplayServer {
    static let mostSessions = 64
    static let retry = Duration.milliseconds(20)
    static let retriesBeforeGivingUp = 1_500

    private let loop: SocketLoop
    private let socket: SocketHandle
    private let thread: SocketThread
    private let reader: ReplayReader
    private let queue = DispatchQueue(label: "nkul.alerts.replay")
    private let onFailure: @Sendable (any Error) -> Void
    private var sessions: [Frame: ReplaySession] = [:]
    private var retries: [Frame: Int] = [:]
    private var lastNumber = 0

    /// - Parameter onFailure: told when the store cannot be read, from any thread.
    init(
        _ socket: SocketHandle, reader: ReplayReader, loop: SocketLoop, thread: SocketThread,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        self.socket = socket
        self.reader = reader
        self.loop = loop
        self.thread = thread
        self.onFailure = onFailure
        loop.onReceive(socket) { [weak self] in self?.receive($0) }
    }

    /// Gives up every answer; the socket is its owner's to close.
    func close() {
        sessions = [:]
        retries = [:]
    }

    private func receive(_ frames: [Frame]) {
        guard let peer = frames.first, frames.count > 1 else { return }
        guard let request = ReplayRequest(frames.dropFirst()) else {
            return refuse(peer, "expected SNAPSHOT prefix, or REPLAY after-seq prefix")
        }
        guard sessions[peer] != nil || sessions.count < Self.mostSessions else {
            return refuse(peer, "busy with \(Self.mostSessions) answers; ask again later")
        }
        lastNumber += 1
        sessions[peer] = ReplaySession(request, number: lastNumber)
        retries[peer] = nil
        proceed(peer)
    }

    private func refuse(_ peer: Frame, _ reason: String) {
        _ = try? loop.send([peer, Frame("ERROR".utf8), Frame(reason.utf8)], on: socket)
    }

    /// Sends until the peer's queue is full, a page must be read, or the answer is complete.
    private func proceed(_ peer: Frame) {
        while let session = sessions[peer] {
            switch session.step {
            case .wait: return
            case .finished: return forget(peer)
            case .read(let request, let next): return read(request, next, peer, session.number)
            case .send(let frames):
                do {
                    guard try loop.send([peer] + frames, on: socket) else { return tryLater(peer, session.number) }
                    sessions[peer]?.advance()
                    retries[peer] = nil
                } catch {
                    return forget(peer)  // the peer is gone
                }
            }
        }
    }

    private func read(_ request: ReplayRequest, _ next: ReplayPage.Next?, _ peer: Frame, _ number: Int) {
        sessions[peer]?.beginReading()
        let server = SocketConfined(self, of: loop)
        queue.async { [reader, thread, onFailure] in
            do {
                let page = try reader.page(request, next)
                thread.enqueue { loop in server.on(loop).take(page, peer, number) }
            } catch {
                onFailure(error)
            }
        }
    }

    private func take(_ page: ReplayPage, _ peer: Frame, _ number: Int) {
        guard sessions[peer]?.number == number else { return }
        sessions[peer]?.take(page)
        proceed(peer)
    }

    private func tryLater(_ peer: Frame, _ number: Int) {
        let count = retries[peer, default: 0] + 1
        guard count <= Self.retriesBeforeGivingUp else { return forget(peer) }
        retries[peer] = count
        loop.after(Self.retry) { [weak self] in
            if self?.sessions[peer]?.number == number { self?.proceed(peer) }
        }
    }

    private func forget(_ peer: Frame) {
        sessions[peer] = nil
        retries[peer] = nil
    }
}
