import Foundation
package import Models
package import ServiceKit
import Storage

/// Makes a backup of a home into a file.
package struct BackupRun: Sendable {
    /// Space that is left free for the services, at least.
    private static let reserveBytes = 200_000_000

    let home: Home
    let file: String
    let recipient: [UInt8]
    let now: UnixMilliseconds

    /// - Parameters:
    ///   - recipient: the public key.
    ///   - now: Unix milliseconds.
    package init(home: Home, file: String, recipient: [UInt8], now: UnixMilliseconds) {
        (self.home, self.file, self.recipient, self.now) = (home, file, recipient, now)
    }

    /// Blocks until it is done; what it wrote is removed if it fails.
    ///
    /// - Throws: `ServiceError`, `StorageError`, `Interrupt.Raised`.
    @discardableResult
    package func run(_ interrupt: Interrupt, pace: BackupPace = .standard) throws -> BackupManifest {
        try home.checkVersion()
        guard access(file, F_OK) != 0 else { throw ServiceError(.usage, "\(file) exists") }
        OpenFiles.allowMany()
        let moment = try HomeMoment.take(home, interrupt, pace: pace)
        guard !moment.databases.isEmpty else { throw ServiceError(.home, "\(home.path) has no databases yet") }
        let plain = try moment.others.map { try PlainFile($0, in: home) }
        let manifest = BackupManifest(
            createdAt: now, lanes: moment.lanes, cursors: moment.cursors,
            files: try moment.databases.map {
                BackupManifest.File(path: $0.path, bytes: try $0.snapshot.byteCount(), isDatabase: true)
            } + plain.map { BackupManifest.File(path: $0.path, bytes: $0.bytes, isDatabase: false) })
        try requireRoom(manifest)
        try write(moment, plain, manifest, interrupt)
        return manifest
    }

    private func write(
        _ moment: HomeMoment, _ plain: [PlainFile], _ manifest: BackupManifest, _ interrupt: Interrupt
    ) throws {
        try home.createDirectory(home.run)
        let writer = try BackupWriter(path: file, to: recipient, manifest)
        var progress = ByteProgress("backup", total: manifest.bytes)
        defer { progress.end() }
        for (database, entry) in zip(moment.databases, manifest.files) {
            try database.snapshot.copy(in: home.run, pause: interrupt.check) { copy in
                try writer.add(entry.path, bytes: entry.bytes, from: copy) { written in
                    progress.add(written)
                    try interrupt.check()
                }
            }
            // Its service may empty its log again.
            try database.snapshot.close()
        }
        for one in plain {
            try writer.add(one.path, bytes: one.bytes, from: one.descriptor) { written in
                progress.add(written)
                try interrupt.check()
            }
        }
        try writer.finish()
    }

    /// A database is copied beside the home before it is sealed; that must not take the space that services need.
    private func requireRoom(_ manifest: BackupManifest) throws {
        let largest = manifest.files.filter(\.isDatabase).map(\.bytes).max() ?? 0
        let values = try? FileManager.default.attributesOfFileSystem(forPath: home.path)
        guard let free = (values?[.systemFreeSize] as? NSNumber)?.intValue, free < largest + Self.reserveBytes else {
            return
        }
        throw ServiceError(
            .failed,
            "\(home.path) has \(free / 1_000_000) MB free, and a copy of its largest database needs \(largest / 1_000_000) MB and"
                + " \(Self.reserveBytes / 1_000_000) MB to spare")
    }
}

/// Reads a backup to its end and writes nothing.
enum BackupCheck {
    /// - Returns: its manifest; every byte of the file is what was written with it.
    /// - Throws: ``BackupError``, `Interrupt.Raised`.
    static func run(_ file: String, identity: [UInt8], _ interrupt: Interrupt) throws -> BackupManifest {
        let reader = try BackupReader(path: file, identity: identity)
        var progress = ByteProgress("reading", total: reader.manifest.bytes)
        defer { progress.end() }
        try reader.forEachPiece { _, piece, _ in
            progress.add(piece.count)
            try interrupt.check()
        }
        return reader.manifest
    }
}

/// A file that is open, so that it stays what it was whatever takes its name.
final class PlainFile {
    let path: String
    let bytes: Int
    let descriptor: Int32

    init(_ path: String, in home: Home) throws {
        self.path = path
        descriptor = open("\(home.path)/\(path)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        var information = stat()
        guard descriptor >= 0, fstat(descriptor, &information) == 0 else {
            throw ServiceError(.failed, "cannot read \(path)", errno: errno)
        }
        bytes = Int(information.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
