internal import IngestAPI
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit

/// What the opening of a speed test settles (ndt7, version 0.11).
struct SpeedTestSession {
    static let subprotocol = "net.measurementlab.ndt.v7"

    let direction: SpeedTestCore.Direction
    let address: ClientAddress
    /// Bytes that it may move.
    let limit: Int
    /// Names the connection in what is told.
    let id: String
    /// The value of `Sec-WebSocket-Accept`.
    let accept: String

    /// Checks an opening, and takes its place among the tests that may run: whoever has a session ends it in the budget.
    ///
    /// - Throws: ``DeviceAPIError`` 426 or 400 for what is no opening, 404 if there are no tests here, 429 and 503.
    init(
        _ head: RequestHead, from address: ClientAddress, _ budget: SpeedTestBudget, now: UnixMilliseconds
    ) throws(DeviceAPIError) {
        guard budget.limits.concurrent > 0 else { throw DeviceAPIError(.notFound) }
        accept = try RealtimeSession.accept(head, offering: Self.subprotocol)
        let wanted = try head.testBytes() ?? .max
        direction = head.route == .download ? .download : .upload
        self.address = address
        var random = SystemRandomNumberGenerator()
        id = String(random.next() as UInt64, radix: 16)
        limit = min(wanted, try budget.begin(from: address, now: now))
    }

    /// What is sent before the first frame.
    var switching: String { RealtimeSession.switching(accept, to: Self.subprotocol) }
}
