internal import Glibc

/// Decides whose CURVE key may enter, per ZAP domain (RFC 27); one for a context. Confined to the socket thread.
///
/// A domain that has never been given a key admits nobody. Revoking closes no connection that stands: libzmq asks at the
/// handshake only, so a domain that loses a client must also close its endpoint.
package final class ZAPHandler {
    private static let endpoint = "inproc://zeromq.zap.01"
    private var admitted: [String: Set<Frame>] = [:]
    private let loop: SocketLoop
    private let handle: SocketHandle
    /// Handshakes refused since the start.
    package private(set) var refusals = 0

    /// Takes over the handshakes of the loop's context.
    ///
    /// - Throws: `isAddressInUse` if the context has a handler already.
    package init(loop: SocketLoop) throws(ZeroMQError) {
        self.loop = loop
        var options = SocketOptions()
        options.linger = .zero
        options.sendHighWater = 0
        options.receiveHighWater = 0
        handle = try loop.open(.router, options: options, bind: ZAPHandler.endpoint)
        loop.onReceive(handle) { [self] frames in answer(frames) }
        loop.handshakes = self
    }

    /// Lets the owner of a public key (Z85) into a domain from now on.
    package func admit(_ publicKey: String, domain: String) throws(ZeroMQError) {
        admitted[domain, default: []].insert(try CurveKeyPair.bytes(publicKey))
    }

    /// Refuses the owner of a public key at the next handshake.
    package func revoke(_ publicKey: String, domain: String) throws(ZeroMQError) {
        admitted[domain]?.remove(try CurveKeyPair.bytes(publicKey))
    }

    /// Stops answering; from then on nobody is let in.
    package func close() {
        loop.close(handle)
        if loop.handshakes === self { loop.handshakes = nil }
    }

    /// Request: peer, "", "1.0", id, domain, address, routing id, mechanism, credentials…
    /// Reply: peer, "", "1.0", id, status, text, user id, metadata.
    private func answer(_ frames: [Frame]) {
        guard frames.count >= 8 else { return }
        let key = isCurve(frames) ? frames[8] : nil
        let admits = key.map { admitted[String(decoding: frames[4], as: UTF8.self)]?.contains($0) ?? false } ?? false
        if !admits { refusals += 1 }
        let reply: [Frame] = [
            frames[0], frames[1], Frame("1.0".utf8), frames[3], Frame((admits ? "200" : "400").utf8),
            Frame((admits ? "OK" : "unknown key").utf8), [], [],
        ]
        // The asking session may be gone by now; nobody needs the answer then.
        _ = try? loop.send(reply, on: handle)
    }

    private func isCurve(_ frames: [Frame]) -> Bool {
        frames.count == 9 && frames[2] == Frame("1.0".utf8) && frames[7] == Frame("CURVE".utf8)
    }
}

extension SocketLoop {
    /// The handler of this loop's handshakes, opened when it is first asked for: lanes and alert endpoints share it.
    ///
    /// - Throws: `isAddressInUse` if the context has a handler on another thread.
    package func zapHandler() throws(ZeroMQError) -> ZAPHandler {
        if let handshakes { return handshakes }
        return try ZAPHandler(loop: self)
    }
}
