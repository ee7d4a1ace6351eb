internal import IngestAPI
internal import IngestSupport
internal import IngestUploads
internal import ServiceKit

/// What the opening of a latency echo settles.
struct EchoSession {
    static let subprotocol = "nkul.echo.v1"

    let address: ClientAddress
    /// The value of `Sec-WebSocket-Accept`.
    let accept: String

    /// Checks an opening, and takes a place: whoever has a session gives it back.
    ///
    /// - Throws: ``DeviceAPIError`` 426 or 400 for what is no opening, 404 if there are no echoes here, 503 if too many run.
    init(_ head: RequestHead, from address: ClientAddress, _ places: EchoPlaces) throws(DeviceAPIError) {
        guard places.most > 0 else { throw DeviceAPIError(.notFound) }
        accept = try RealtimeSession.accept(head, offering: Self.subprotocol)
        self.address = address
        try places.begin(from: address)
    }

    /// What is sent before the first frame.
    var switching: String { RealtimeSession.switching(accept, to: Self.subprotocol) }
}
