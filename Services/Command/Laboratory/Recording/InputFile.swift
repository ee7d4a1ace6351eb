import Foundation
public import OpenFormats
import ServiceKit
import Wire

/// The bytes of a file, plain or gzip (told by its first two bytes), piece by piece.
///
/// Holds one piece at a time, whatever the file's size. Confined to one thread.
public final class InputFile: CSVSource {
    public let path: String
    private let file: Int32
    private var inflater: Inflater?
    private var isFirst = true
    private var piece = [UInt8](repeating: 0, count: 65_536)

    /// - Throws: ``RecordingError`` naming the file and the cause.
    public init(path: String) throws {
        self.path = path
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw RecordingError(path, "cannot open: \(ErrnoText.of(errno))") }
    }

    deinit { close(file) }

    /// Replaces `buffer` by the next piece; false at the end.
    ///
    /// - Throws: ``RecordingError`` if reading fails, or if gzip data is torn or corrupt.
    public func next(_ buffer: inout [UInt8]) throws -> Bool {
        buffer.removeAll(keepingCapacity: true)
        while buffer.isEmpty {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw RecordingError(path, "cannot read: \(ErrnoText.of(errno))") }
            if isFirst { start(count) }
            if count == 0 { return try end() }
            if inflater == nil { buffer.append(contentsOf: piece[..<count]) } else { try inflate(count, into: &buffer) }
        }
        return true
    }

    public func fault(line: Int, _ message: String) -> any Error { RecordingError(path, line: line, message) }

    private func start(_ count: Int) {
        isFirst = false
        if count >= 2, piece[0] == 0x1f, piece[1] == 0x8b { inflater = Inflater(format: .gzip, limit: .max) }
    }

    private func inflate(_ count: Int, into buffer: inout [UInt8]) throws {
        do { try inflater!.append(Array(piece[..<count]), into: &buffer) } catch {
            throw RecordingError(path, "\(error)")
        }
    }

    private func end() throws -> Bool {
        do { try inflater?.finish() } catch { throw RecordingError(path, "\(error)") }
        return false
    }
}
