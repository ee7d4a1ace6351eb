import Foundation
import Synchronization

/// A TCP proxy in front of a service that now and then loses a reply, or cuts a request in the middle.
///
/// What becomes of a connection is drawn when it is accepted: most pass; of the others one part is cut when the first
/// byte of the answer arrives (the service has acted, the client will never know), one part in the middle of the request.
public final class CuttingProxy: Sendable {
    private enum Fate: Sendable { case passes, losesReply, losesRequest }

    /// The port clients connect to.
    public let port: Int
    private let listener: LoopbackSocket
    private let target: Int
    private let random: Mutex<SeededRandom>
    private let lost = Atomic<Int>(0)

    /// How many replies and requests were lost so far.
    public var losses: Int { lost.load(ordering: .relaxed) }

    /// Listens on a port of the system's choice and forwards to `target` on 127.0.0.1.
    public init(target: Int, seed: UInt64) throws {
        self.target = target
        random = Mutex(SeededRandom(seed: seed))
        (listener, port) = try LoopbackSocket.listening()
        Thread.detachNewThread { self.acceptClients() }
    }

    /// Accepts nobody any more.
    public func stop() {
        listener.shutdown()
    }

    private func acceptClients() {
        while let client = listener.accept() {
            let fate = random.withLock { random -> Fate in
                let drawn = random.below(100)
                return drawn < 12 ? .losesReply : drawn < 18 ? .losesRequest : .passes
            }
            Thread.detachNewThread { self.serve(client, fate) }
        }
    }

    private func serve(_ client: LoopbackSocket, _ fate: Fate) {
        guard let server = try? LoopbackSocket.connected(port: target, timeout: 60) else { return client.shutdown() }
        Thread.detachNewThread { self.forwardRequest(from: client, to: server, fate) }
        while let bytes = server.receive() {
            if fate == .losesReply {
                lost.add(1, ordering: .relaxed)
                break
            }
            guard (try? client.send(bytes)) != nil else { break }
        }
        client.shutdown()
        server.shutdown()
    }

    private func forwardRequest(from client: LoopbackSocket, to server: LoopbackSocket, _ fate: Fate) {
        while let bytes = client.receive() {
            if fate == .losesRequest {
                lost.add(1, ordering: .relaxed)
                try? server.send(Array(bytes[..<(bytes.count / 2)]))
                server.shutdown()
                return client.shutdown()
            }
            guard (try? server.send(bytes)) != nil else { break }
        }
    }
}
