package import NIOCore

/// What one WebSocket may ask of the edge, and for how long.
package struct RealtimeLimits: Sendable {
    /// Bytes of a message, all fragments together.
    package var messageBytes = 16_384
    /// Frames of a message.
    package var fragments = 16
    /// Pings, pongs and close frames in a second.
    package var controlFrames = 10
    /// Messages that wait for their receipts; with so many nothing more is read.
    package var window = 16
    /// After so long without a sign of life the phone is pinged; after as long again the connection is closed.
    package var idleTime = TimeAmount.seconds(120)
    /// From the first byte of a message to its last.
    package var messageTime = TimeAmount.seconds(60)
}
