import Foundation
import Models
import ServiceKit
import Storage
import Wire

/// Writes a backup, see ``BackupArchive``. The file has its name when ``finish()`` has synced it, never before; a writer that
/// is thrown away removes what it wrote. Confined to one thread.
final class BackupWriter {
    private let path: String
    private let draft: String
    private var file: Int32
    private var stream: SealingStream
    /// Bytes of files that are still to come.
    private var left: Int

    /// Begins it with its manifest.
    ///
    /// - Throws: `ServiceError` naming the file.
    init(path: String, to recipient: [UInt8], _ manifest: BackupManifest) throws {
        self.path = path
        draft = path + ".partial"
        stream = try SealingStream(to: recipient, purpose: BackupArchive.purpose)
        left = manifest.bytes
        let text = try SortedJSON.bytes(of: manifest)
        precondition(text.count <= BackupArchive.manifestBytes, "a manifest of \(text.count) bytes")
        // One that was left by a program that was killed.
        unlink(draft)
        file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ServiceError(.failed, "cannot write \(draft)", errno: errno) }
        try write(BackupArchive.magic + stream.encapsulatedKey)
        try add(chunk: text)
    }

    deinit {
        guard file >= 0 else { return }
        close(file)
        unlink(draft)
    }

    /// Adds the next file of the manifest: so many bytes from where a descriptor stands.
    ///
    /// - Parameter written: told after each piece.
    func add(_ path: String, bytes: Int, from source: Int32, written: (Int) throws -> Void = { _ in }) throws {
        var rest = bytes
        while rest > 0 {
            let piece = try read(min(rest, BackupArchive.pieceBytes), of: path, from: source)
            rest -= piece.count
            left -= piece.count
            try add(chunk: piece)
            try written(piece.count)
        }
    }

    /// Ends the file, syncs it and gives it its name.
    func finish() throws {
        precondition(left == 0, "\(left) bytes of files are missing")
        let directory = (path as NSString).deletingLastPathComponent
        guard fsync(file) == 0 else { throw ServiceError(.failed, "cannot write \(draft)", errno: errno) }
        close(file)
        file = -1
        guard rename(draft, path) == 0 else {
            let cause = errno
            unlink(draft)
            throw ServiceError(.failed, "cannot write \(path)", errno: cause)
        }
        try DurableFolder.sync(directory.isEmpty ? "." : directory)
    }

    private func add(chunk bytes: [UInt8]) throws {
        let deflated = try Deflater.deflate(bytes, format: .zlib)
        let clear = deflated.count < bytes.count ? [1] + deflated : [0] + bytes
        let sealed = try stream.seal(clear, isLast: left == 0)
        try write(withUnsafeBytes(of: UInt32(sealed.count).bigEndian, Array.init) + sealed)
    }

    private func read(_ count: Int, of path: String, from source: Int32) throws -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: count), filled = 0
        while filled < count {
            let got = piece.withUnsafeMutableBytes { Foundation.read(source, $0.baseAddress! + filled, count - filled) }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else {
                throw ServiceError(.failed, "\(path) became shorter while it was read", errno: got < 0 ? errno : 0)
            }
            filled += got
        }
        return piece
    }

    private func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress! + done, bytes.count - done) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw ServiceError(.failed, "cannot write \(draft)", errno: errno) }
            done += count
        }
    }
}

/// Directories whose entries are on disk.
enum DurableFolder {
    /// Has what was made, renamed or removed in a directory carried to the disk.
    static func sync(_ path: String) throws {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        guard directory >= 0, fsync(directory) == 0 else {
            throw ServiceError(.failed, "cannot sync the directory \(path)", errno: errno)
        }
    }
}
