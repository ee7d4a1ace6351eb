import Foundation
import Models
import ServiceKit
import Storage
import Wire

/// Reads a backup, see ``BackupArchive``: its manifest at once, then its files in their order, each byte authenticated before it
/// is handed out. Confined to one thread.
final class BackupReader {
    let manifest: BackupManifest
    private let path: String
    private let file: Int32
    /// Bytes of the file that are still to be read.
    private var left: Int
    private var stream: OpeningStream

    /// Opens a backup and reads its manifest.
    ///
    /// - Throws: ``BackupError`` naming the file: it is none, was made for somebody else, is damaged, or its manifest is not valid.
    init(path: String, identity: [UInt8]) throws {
        self.path = path
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BackupError(path, "cannot be opened: \(ErrnoText.of(errno))") }
        do {
            var source = Source(path: path, file: file)
            (manifest, stream) = try Self.begin(&source, identity)
            left = source.left
        } catch {
            close(file)
            throw Self.named(error, path)
        }
        self.file = file
    }

    deinit { close(file) }

    /// Hands out the files in the order of the manifest, each in pieces; to be called once.
    ///
    /// - Throws: ``BackupError`` if a byte differs from what was written; errors of `body`.
    func forEachPiece(_ body: (BackupManifest.File, _ piece: [UInt8], _ isEnd: Bool) throws -> Void) throws {
        var source = Source(path: path, file: file)
        source.left = left
        for entry in manifest.files {
            var rest = entry.bytes
            if rest == 0 { try body(entry, [], true) }
            while rest > 0 {
                let piece: [UInt8]
                do {
                    piece = try Self.chunk(&source, &stream, atMost: BackupArchive.pieceBytes)
                } catch { throw Self.named(error, path) }
                guard piece.count == min(rest, BackupArchive.pieceBytes) else {
                    throw BackupError(path, "\(entry.path) has other bytes than its manifest says")
                }
                rest -= piece.count
                try body(entry, piece, rest == 0)
            }
        }
        guard source.left == 0 else { throw BackupError(path, "something follows its end") }
    }

    private static func begin(
        _ source: inout Source, _ identity: [UInt8]
    ) throws -> (BackupManifest, OpeningStream) {
        let head = BackupArchive.magic.count + OpeningStream.encapsulatedBytes
        let start = try source.left >= head ? source.bytes(head) : []
        guard start.starts(with: BackupArchive.magic) else { throw BackupError(source.path, "is no backup of nkul") }
        var stream = try OpeningStream(
            encapsulatedKey: Array(start.dropFirst(BackupArchive.magic.count)), with: identity,
            purpose: BackupArchive.purpose)
        let text = try chunk(&source, &stream, atMost: BackupArchive.manifestBytes)
        let manifest = try JSONDecoder().decode(BackupManifest.self, from: Data(text))
        if let fault = manifest.fault { throw BackupError(source.path, fault) }
        return (manifest, stream)
    }

    private static func chunk(
        _ source: inout Source, _ stream: inout OpeningStream, atMost limit: Int
    ) throws -> [UInt8] {
        let length = try source.bytes(4).reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit + 1 + SealingStream.overhead else { throw BackupError(source.path, "is damaged") }
        let sealed = try source.bytes(length)
        let clear = try stream.open(sealed, isLast: source.left == 0)
        switch clear.first {
        case 0: return Array(clear.dropFirst())
        case 1: return try Inflater.inflate(Array(clear.dropFirst()), format: .zlib, limit: limit)
        default: throw BackupError(source.path, "has a chunk of a form that this nkul does not know")
        }
    }

    private static func named(_ error: any Error, _ path: String) -> any Error {
        switch error {
        case let error as StorageError where error.code == .notAuthentic:
            BackupError(path, "is damaged, or was made for another recipient (\(error.message))")
        case is WireError, is DecodingError: BackupError(path, "is damaged: \(error)")
        default: error
        }
    }
}

/// The bytes of a file from where a descriptor stands.
private struct Source {
    let path: String
    let file: Int32
    var left: Int

    init(path: String, file: Int32) {
        self.path = path
        self.file = file
        var information = stat()
        left = fstat(file, &information) == 0 ? Int(information.st_size) : 0
    }

    mutating func bytes(_ count: Int) throws -> [UInt8] {
        guard count <= left else { throw BackupError(path, "is cut off") }
        var bytes = [UInt8](repeating: 0, count: count), filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress! + filled, count - filled) }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { throw BackupError(path, "cannot be read: \(ErrnoText.of(errno))") }
            filled += got
        }
        left -= count
        return bytes
    }
}
