package import NIOCore
package import NIOHTTP1

/// What one connection may ask of the edge, and for how long.
package struct EdgeLimits: Sendable {
    /// Connections in all; more are closed as they come, counted.
    package var connections = 20_000
    /// Header fields of a request, and their bytes together.
    var headerFields = 64
    var headerBytes = 16_384
    /// Bytes of a request's target, the query included.
    var targetBytes = 8_192
    /// Requests that are kept while one is being answered.
    var requestsAhead = 64
    /// Bytes of a body as it is sent, for uploads and for every other call.
    package var uploadBytes = 1_000_000
    package var callBytes = 16_384
    /// Bytes of a body that are taken before it is known whose it is.
    package var strangerBytes = 65_536
    /// From the first byte of a head to its last, and from there to the last of the body.
    package var headTime = TimeAmount.seconds(10)
    package var bodyTime = TimeAmount.seconds(60)
    /// Between two requests.
    package var idleTime = TimeAmount.seconds(60)
    /// How long a connection that is being closed may go on sending what nobody reads.
    package var lingerTime = TimeAmount.seconds(2)
    /// What a WebSocket may ask.
    package var realtime = RealtimeLimits()

    /// Parts of requests that are kept while one is being answered: a few hundred bytes each, whatever little was sent for it.
    package var partsAhead: Int { 4 * requestsAhead }

    /// Bytes that the parser has not taken, of a head that goes on or behind one that asks for another protocol: what one turn of
    /// reading brings besides.
    package var undecodedBytes: Int { decoder.maxHeaderListSize + (256 << 10) }

    /// What the parser keeps of a head, or of the fields behind a body, before it has come to its end; which of them is too
    /// large is told apart when it has (``RequestHead/check(_:)``).
    package var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldCount = headerFields
        limits.maxHeaderListSize = headerBytes + targetBytes
        limits.maxHeaderFieldSize = limits.maxHeaderListSize
        return limits
    }
}
