/// A request of the kit to the device API.
public struct DeviceRequest: Sendable, Equatable {
    public enum Route: Sendable, Equatable {
        /// HTTP.
        case http
        /// One text message over the WebSocket `/v1/realtime` (`docs/realtime.md`), which is opened with the request's headers if
        /// it is not open.
        case realtime
    }

    public var route: Route
    public var method: String
    /// Begins with a slash.
    public var path: String
    /// Names and values; the transport adds `Host` and `Content-Length`.
    public var headers: [String: String]
    public var body: [UInt8]
    /// When it is to be signed, Unix seconds; nil: it is not.
    var signedAt: Int64?

    public init(
        route: Route = .http, method: String, path: String, headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.route = route
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}

/// What came back.
public struct DeviceResponse: Sendable, Equatable {
    /// Of HTTP; for a message 200 if a receipt came, else `status` of the problem document.
    public var status: Int
    /// `Retry-After`, or the member `retry_after` of a message; seconds.
    public var retryAfter: Int64?
    /// `X-Nkul-Next-Upload`, seconds.
    public var nextUpload: Int64?
    public var etag: String?
    public var body: [UInt8]

    public init(
        status: Int, retryAfter: Int64? = nil, nextUpload: Int64? = nil, etag: String? = nil, body: [UInt8] = []
    ) {
        self.status = status
        self.retryAfter = retryAfter
        self.nextUpload = nextUpload
        self.etag = etag
        self.body = body
    }
}

/// A request, and what became of it.
public struct DeviceExchange: Sendable, Equatable {
    /// Nil: no answer, or none that is complete. Whether the service acted is then unknown.
    public var response: DeviceResponse?
    /// Bytes that went over the network, as far as the transport knows.
    public var sentBytes: Int
    public var receivedBytes: Int

    public init(response: DeviceResponse?, sentBytes: Int, receivedBytes: Int) {
        self.response = response
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
    }
}

/// How the kit reaches the device API: TLS, time-outs and the keeping of connections are its business. Any thread.
public protocol DeviceTransport: Sendable {
    /// Sends a request once. Always returns, at the latest after a minute.
    func send(_ request: DeviceRequest) async -> DeviceExchange
}
