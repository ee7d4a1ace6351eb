internal import Crypto
internal import Foundation
package import IngestSupport
package import IngestUploads
package import Models
internal import NIOHTTP1

/// What the opening of a WebSocket settles for all of its messages.
package struct RealtimeSession: Sendable {
    /// Whose messages they are: looked up for each of them.
    package let token: TokenHash
    /// The device's number in this home.
    package let device: UInt64
    /// What is added to the times of messages that do not say when they were sent; nil if the phone did not say what time it is there.
    let clockOffset: Int64?
    /// `?receipts=all`.
    let listsAll: Bool
    /// The value of `Sec-WebSocket-Accept`.
    let accept: String
    /// Whether the client offered ``subprotocol``, which it then is told.
    let isNamed: Bool

    /// What pages offer beside their token: browsers want one of the subprotocols that they offered in the answer.
    static let subprotocol = "nkul.v1"

    /// Checks an opening handshake (RFC 6455, 4.2.1).
    ///
    /// - Throws: ``DeviceAPIError`` 426 if the request does not ask for a WebSocket of version 13, 400 if it is broken or says
    ///   something that an upload could not say either.
    package init(_ head: RequestHead, of device: DeviceIdentity, now: UnixMilliseconds) throws(DeviceAPIError) {
        accept = try Self.accept(head)
        let said = try head.manner()
        isNamed = head.offers(Self.subprotocol)
        guard isNamed || head.protocolToken == nil else {
            throw DeviceAPIError(
                .badUpgrade, "\(Self.subprotocol) is offered beside the token", field: "Sec-WebSocket-Protocol")
        }
        token = DeviceToken.hash(try head.token())
        self.device = device.ordinal
        clockOffset = said.sentAt.map { now - $0 }
        listsAll = said.listsAll
    }

    /// What is sent before the first frame.
    package var switching: String { Self.switching(accept, to: isNamed ? Self.subprotocol : nil) }

    /// What is sent before the first frame of any WebSocket.
    ///
    /// - Parameter subprotocol: nil if none is agreed to.
    package static func switching(_ accept: String, to subprotocol: String?) -> String {
        "HTTP/1.1 101 Switching Protocols\r\nserver: nkul\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            + "sec-websocket-accept: \(accept)\r\n"
            + (subprotocol.map { "sec-websocket-protocol: \($0)\r\n\r\n" } ?? "\r\n")
    }

    /// How a message is read that arrives now. Its own time of sending stands above that of the opening: a phone's clock may be set
    /// while the connection is open.
    func request(_ message: RealtimeKinds.Envelope, arrivedAt now: UnixMilliseconds) -> UploadRequest {
        UploadRequest(
            kind: message.kind, sentAt: message.sentAt ?? clockOffset.map { now - $0 }, arrivedAt: now,
            listsAll: listsAll)
    }

    /// The value of `Sec-WebSocket-Accept` for an opening.
    ///
    /// - Throws: ``DeviceAPIError`` 426 if the request does not ask for a WebSocket of version 13, 400 if it is broken.
    package static func accept(_ head: RequestHead) throws(DeviceAPIError) -> String {
        guard head.asksForWebSocket else {
            throw DeviceAPIError(.upgradeRequired, "it takes Upgrade: websocket and Sec-WebSocket-Version: 13")
        }
        guard let key = head.field("Sec-WebSocket-Key"), Data(base64Encoded: key)?.count == 16 else {
            throw DeviceAPIError(.badUpgrade, "16 bytes as base64 are expected", field: "Sec-WebSocket-Key")
        }
        return accept(key)
    }

    /// As ``accept(_:)``, for an opening that has to offer a subprotocol.
    ///
    /// - Throws: ``DeviceAPIError`` as there, and 400 if it does not offer it.
    package static func accept(_ head: RequestHead, offering subprotocol: String) throws(DeviceAPIError) -> String {
        let value = try Self.accept(head)
        guard head.offers(subprotocol) else {
            throw DeviceAPIError(.badUpgrade, "\(subprotocol) is offered", field: "Sec-WebSocket-Protocol")
        }
        return value
    }

    private static func accept(_ key: String) -> String {
        // The protocol proves by SHA-1 that it was understood; nothing is kept secret by it.
        let digest = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(digest).base64EncodedString()
    }
}

extension RequestHead {
    /// True for the opening of a WebSocket.
    package var asksForWebSocket: Bool {
        head.method == .GET && head.version == .http1_1 && field("Sec-WebSocket-Version") == "13"
            && has("websocket", in: "Upgrade") && has("upgrade", in: "Connection")
    }

    /// True if a subprotocol is among those that the client offers.
    package func offers(_ subprotocol: String) -> Bool {
        head.headers[canonicalForm: "Sec-WebSocket-Protocol"].contains { $0 == subprotocol }
    }

    private func has(_ word: String, in name: String) -> Bool {
        head.headers[canonicalForm: name].contains { $0.lowercased() == word }
    }
}
