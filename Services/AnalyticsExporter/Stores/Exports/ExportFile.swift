internal import Foundation
package import Storage

/// Format of the file of an exported hour: the download's bytes in chunks, each sealed by itself where blocks are, so that any
/// part can be read without the others.
///
///     file         = chunk …           all of 65 536 clear bytes but the last
///     chunk        = clear bytes, or nonce 12 │ ciphertext │ tag 16
///     bound to     "nkul export" │ tenant 8 │ hour 8 │ number of the chunk 8, big-endian
enum ExportFile {
    static let chunk: Int64 = 65_536
    /// Bytes of the disk that exports leave to those who cannot do without.
    static let reserve = 256 << 20

    static func binding(_ export: (tenant: Int64, hour: Int64), chunk number: Int64) -> [UInt8] {
        [export.tenant, export.hour, number].reduce(into: Array("nkul export".utf8)) { bytes, value in
            withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
        }
    }

    static func failure(_ error: any Error, _ path: String) -> StorageError {
        let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let isFull = system?.code == Int(ENOSPC) || system?.code == Int(EDQUOT)
        return StorageError(
            isFull ? .diskFull : .inputOutput, path: path, message: error.localizedDescription,
            systemError: (system?.code).map(Int32.init))
    }
}

/// Writes one. Confined to one thread.
final class ExportWriter {
    let path: String
    private let export: (tenant: Int64, hour: Int64)
    private let sealer: BlockSealer?
    private let reserve: Int
    private let file: FileHandle
    private var pending: [UInt8] = []
    private var chunks: Int64 = 0

    /// Makes the file, or begins it anew.
    ///
    /// - Parameter reserve: free bytes of the disk below which nothing is written.
    init(
        _ path: String, _ export: (tenant: Int64, hour: Int64), _ sealer: BlockSealer?,
        reserve: Int = ExportFile.reserve
    ) throws {
        (self.path, self.export, self.sealer, self.reserve) = (path, export, sealer, reserve)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StorageError(.notWritable, path: path, message: String(cString: strerror(errno)), systemError: errno)
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func append(_ bytes: [UInt8]) throws {
        pending += bytes
        var start = 0
        while pending.count - start >= Int(ExportFile.chunk) {
            try write(pending[start..<start + Int(ExportFile.chunk)])
            start += Int(ExportFile.chunk)
        }
        pending.removeFirst(start)
    }

    /// Everything is on the disk when it returns.
    func finish() throws {
        if !pending.isEmpty { try write(pending[...]) }
        do {
            try file.synchronize()
            try file.close()
        } catch { throw ExportFile.failure(error, path) }
    }

    /// Lets go of it; what is there stays.
    func close() { try? file.close() }

    private func write(_ clear: ArraySlice<UInt8>) throws {
        let free = try FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize] as? Int
        guard let free, free >= reserve else {
            throw StorageError(
                .diskFull, path: path, message: "\(free ?? 0) bytes are free; exports leave \(reserve) to others")
        }
        let binding = ExportFile.binding(export, chunk: chunks)
        let bytes = try sealer?.seal(Array(clear), additional: binding) ?? Array(clear)
        do { try file.write(contentsOf: Data(bytes)) } catch { throw ExportFile.failure(error, path) }
        chunks += 1
    }
}

/// Reads one, chunk by chunk: the file is opened for each, so that none is read once it is unlinked. Usable from any thread.
package struct ExportReader: Sendable {
    let path: String
    let export: (tenant: Int64, hour: Int64)
    /// Nil if the file is clear.
    let sealer: BlockSealer?
    /// Clear bytes of the file.
    let length: Int64

    package init(path: String, export: (tenant: Int64, hour: Int64), sealer: BlockSealer?, length: Int64) {
        self.path = path
        self.export = export
        self.sealer = sealer
        self.length = length
    }

    /// Clear bytes from `offset` on, to the end of the chunk at most; nil if the file is gone.
    func read(from offset: Int64) throws -> [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        let number = offset / ExportFile.chunk, overhead = Int64(sealer == nil ? 0 : BlockSealer.overhead)
        let size = min(ExportFile.chunk, length - number * ExportFile.chunk) + overhead
        let stored: [UInt8]
        do {
            try file.seek(toOffset: UInt64(number * (ExportFile.chunk + overhead)))
            stored = size > overhead ? [UInt8](try file.read(upToCount: Int(size)) ?? Data()) : []
        } catch { throw ExportFile.failure(error, path) }
        guard size > overhead, stored.count == Int(size) else {
            throw StorageError(.corrupt, path: path, message: "ends before its \(length) bytes")
        }
        let clear =
            try sealer?.open(stored, additional: ExportFile.binding(export, chunk: number), place: path) ?? stored
        return Array(clear.dropFirst(Int(offset - number * ExportFile.chunk)))
    }
}
