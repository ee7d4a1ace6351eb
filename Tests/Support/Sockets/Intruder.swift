public import ZeroMQ

/// A way into an alert endpoint that a test tries, and whose messages may come of it.
public struct Intruder: Sendable {
    /// Subscriber or replay client.
    package let kind: SocketKind
    public let endpoint: String
    public let security: SocketSecurity
    /// The tenant whose messages it may hear; nil for nobody's.
    public let mayHear: String?

    package init(kind: SocketKind, endpoint: String, security: SocketSecurity, mayHear: String? = nil) {
        self.kind = kind
        self.endpoint = endpoint
        self.security = security
        self.mayHear = mayHear
    }

    /// Connects without waiting for the handshake; a subscriber asks for the prefixes before it.
    public func open(_ prefixes: [[UInt8]], on loop: SocketLoop) throws -> SocketHandle {
        var options = SocketOptions(security: security)
        options.linger = .zero
        options.immediate = false
        if kind == .sub { options.subscriptions = prefixes }
        return try loop.open(kind, options: options, connect: endpoint)
    }

    /// Whether it may hear these frames: an answer, or a message whose header names the tenant.
    public func mayHear(_ frames: [Frame]) -> Bool {
        let header = frames.count == 3 ? String(decoding: frames[1], as: UTF8.self) : ""
        return mayHear.map { Self.isAnswer(frames) || header.contains("\"/nkul/alerts/\($0)\"") } ?? false
    }

    /// Whether frames are the end of a SNAPSHOT or REPLAY, or its refusal.
    public static func isAnswer(_ frames: [Frame]) -> Bool {
        ["END", "ERROR"].contains(String(decoding: frames[0], as: UTF8.self))
    }

    /// What came, as a failing test shows it.
    public func text(of frames: [Frame]) -> String {
        "\(kind) at \(endpoint): \(frames.map { String(decoding: $0, as: UTF8.self) })"
    }
}
