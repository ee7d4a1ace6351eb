/// The decisions of one speed test: how large the next message is, whether it goes on, when it tells how it stands (ndt7, version
/// 0.11). Times are nanoseconds since its beginning. No channel or clock inside.
struct SpeedTestCore {
    enum Direction: String, Sendable { case download, upload }

    /// How long a download sends, and after which time any test is ended.
    static let length: Int64 = 10_000_000_000
    static let longest: Int64 = 13_000_000_000
    /// Between two measurements that are told: four a second, of the ten that may be.
    static let pause: Int64 = 250_000_000
    /// Messages grow from 8 KB to 1 MB, as long as each is at most a sixteenth of what was sent.
    static let firstBytes = 1 << 13
    static let mostBytes = 1 << 20
    /// Bytes of text that a client may tell.
    static let textBytes = 1 << 20

    let direction: Direction
    /// Bytes that the test may move.
    let limit: Int
    /// Bytes of binary messages that were moved.
    private(set) var bytes = 0
    private var texts = 0
    private var size = Self.firstBytes
    private var toldAt: Int64 = 0

    init(_ direction: Direction, limit: Int) {
        self.direction = direction
        self.limit = limit
    }

    /// Bytes of the next message of a download; nil if there is no more.
    mutating func nextMessage(at time: Int64) -> Int? {
        guard direction == .download, !isOver(at: time) else { return nil }
        while size < Self.mostBytes, size * 2 <= bytes / 16 { size *= 2 }
        let next = min(size, limit - bytes)
        bytes += next
        return next
    }

    /// Counts what came.
    mutating func received(_ count: Int, isText: Bool) {
        if isText { texts += count } else { bytes += count }
    }

    /// Whether the client tells more than a client has to tell.
    var isFlooded: Bool { texts > Self.textBytes }

    /// Whether nothing more is to be moved.
    func isOver(at time: Int64) -> Bool {
        bytes >= limit || time >= (direction == .download ? Self.length : Self.longest)
    }

    /// Whether it is time to tell how it stands; notes that it is told.
    mutating func tells(at time: Int64) -> Bool {
        guard time - toldAt >= Self.pause else { return false }
        toldAt = time
        return true
    }
}
