internal import NIOCore
internal import ServiceKit

extension RealtimeLimits {
    /// Reads `NKUL_INGEST_REALTIME_…`.
    init(_ settings: Settings) throws {
        func integer(
            _ key: String, _ value: Int, _ range: ClosedRange<Int>, _ unit: String, _ summary: String
        ) throws -> Int {
            let key = "NKUL_INGEST_REALTIME_" + key
            return try settings.value(.integer(key, default: value, in: range, unit: unit, summary))
        }
        func seconds(_ key: String, _ value: Int, _ summary: String) throws -> TimeAmount {
            let key = "NKUL_INGEST_REALTIME_\(key)_SECONDS"
            return .seconds(
                try settings.value(Setting.seconds(key, default: value, in: 1...3_600, summary)).components.seconds)
        }
        messageBytes = try integer(
            "MESSAGE_BYTES", messageBytes, 256...65_536, "bytes", "most bytes of a WebSocket message")
        fragments = try integer("FRAGMENTS", fragments, 1...1_000, "frames", "most frames of a WebSocket message")
        controlFrames = try integer(
            "CONTROL_FRAMES", controlFrames, 1...1_000, "frames",
            "most pings, pongs and closes of a WebSocket in a second")
        window = try integer(
            "WINDOW", window, 1...1_000, "messages", "messages of a WebSocket that may wait for their receipts")
        idleTime = try seconds(
            "IDLE", 120, "silence after which a WebSocket is pinged, and after which again it is closed")
        messageTime = try seconds("MESSAGE", 60, "from the first byte of a WebSocket message to its last")
    }
}
