import Crypto
import Foundation
import Models
import ServiceKit

/// What must be known of a recording before it is played: one pass over the file in bounded memory (devices aside).
struct RecordingSurvey: Sendable, Equatable {
    /// Of one device.
    struct Device: Sendable, Equatable {
        let name: String
        var rows = 0
        /// Highest `seq`.
        var highestSeq: Int64 = 0
        /// Whether each row has a `seq`.
        var hasSeq = true
        /// Whether each row has an `id` or a `seq`.
        var isIdentified = true
    }

    let path: String
    /// Of the file's bytes, in hexadecimal.
    let sha256: String
    /// In order of their first row.
    private(set) var devices: [Device] = []
    private(set) var indices: [String: Int] = [:]
    private(set) var rows = 0
    /// When the first row was captured.
    private(set) var first: UnixMilliseconds = 0
    /// When the last row is sent.
    private(set) var end: UnixMilliseconds = 0
    /// Values that are not played, as their rows have no such field, by the name of the column.
    private(set) var passedOver: [String: Int] = [:]

    /// - Throws: ``RecordingError`` if the file is no sound recording.
    init(path: String) throws {
        self.path = path
        sha256 = try Self.digest(path)
        var reader = try RecordingReader(path: path)
        while let row = try reader.next() { count(row) }
        passedOver = reader.passedOver
        guard rows > 0 else { throw RecordingError(path, "a recording without rows") }
    }

    private mutating func count(_ row: RecordingRow) {
        first = rows == 0 ? row.capturedAt : min(first, row.capturedAt)
        end = row.due
        rows += 1
        let index = indices[row.device] ?? devices.count
        if index == devices.count {
            indices[row.device] = index
            devices.append(Device(name: row.device))
        }
        let seq = row.values[ColumnID.seq]
        devices[index].rows += 1
        devices[index].highestSeq = max(devices[index].highestSeq, seq ?? 0)
        if seq == nil { devices[index].hasSeq = false }
        if seq == nil, row.texts[ColumnID.id] == nil { devices[index].isIdentified = false }
    }

    private static func digest(_ path: String) throws -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw RecordingError(path, "cannot open: \(ErrnoText.of(errno))") }
        defer { close(file) }
        var hash = SHA256(), piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw RecordingError(path, "cannot read: \(ErrnoText.of(errno))") }
            if count == 0 { break }
            hash.update(data: piece[..<count])
        }
        return hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
