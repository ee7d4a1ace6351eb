import AsyncHTTPClient
import Crypto
import Foundation
import Models
import NIOCore
import ServiceKit

/// One file of a list on its way into a directory.
///
/// Until all its bytes are there and have the SHA-256 of the list it is `.<name>.<begin of the SHA-256>.part` beside the others; the
/// next fetch goes on there.
struct ExportDownload {
    enum Outcome: String, Encodable {
        /// It is there now.
        case fetched
        /// It was there, with the bytes that the list says.
        case same
        /// It was there with other bytes, and has been replaced.
        case replaced
        /// It is there with other bytes, and stays: replacing it was not asked for.
        case different
        /// It is made anew at the moment.
        case rewriting
        /// It went since it was listed.
        case gone
        /// Its bytes are not those that the list says.
        case damaged
    }

    let directory: String
    let name: String
    let sha256: String
    let bytes: Int64
    /// Whether a file with other bytes may be replaced.
    let replaces: Bool
    let progress: ExportProgress

    private var path: String { "\(directory)/\(name)" }
    private var draft: String { "\(directory)/.\(name).\(sha256.prefix(16)).part" }

    /// - Throws: `ServiceError` naming file or server; `CancellationError`.
    func fetch(_ client: ExportClient) async throws -> Outcome {
        let found = try Self.digest(of: path)
        if found == sha256 {
            progress.add(bytes: bytes)
            return .same
        }
        guard found == nil || replaces else { return .different }
        for _ in 0..<2 {
            switch try await take(client) {
            case nil: continue
            case .fetched?:
                try publish()
                return found == nil ? .fetched : .replaced
            case let outcome?: return outcome
            }
        }
        return .damaged
    }

    /// Takes what is missing.
    ///
    /// - Returns: nil if the bytes are others, which are thrown away.
    private func take(_ client: ExportClient) async throws -> Outcome? {
        var part = try ExportPart(draft)
        defer { part.close() }
        if part.length > bytes { try part.clear() }
        progress.add(bytes: part.length)
        if part.length < bytes {
            switch try await client.file(name, from: part.length, sha256: sha256) {
            case .rewriting: return .rewriting
            case .gone: return .gone
            case .outOfRange: break
            case .bytes(let offset, let body):
                if offset != part.length {
                    progress.add(bytes: -part.length)
                    try part.clear()
                }
                try await write(body, to: &part)
            }
        }
        try part.sync()
        guard part.length == bytes, part.digest == sha256 else {
            progress.add(bytes: -part.length)
            try part.clear()
            unlink(draft)
            return nil
        }
        return .fetched
    }

    private func write(_ body: HTTPClientResponse.Body, to part: inout ExportPart) async throws {
        do {
            for try await buffer in body {
                try Task.checkCancellation()
                // A server that sends more than it listed is not believed, and fills no disk.
                guard part.length + Int64(buffer.readableBytes) <= bytes else { return }
                try part.append(Array(buffer.readableBytesView))
                progress.add(bytes: Int64(buffer.readableBytes))
            }
        } catch let error as ServiceError {
            throw error
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw ServiceError(.failed, "\(name) broke off after \(part.length) bytes: \(error); what is there is kept")
        }
    }

    /// Gives it its name, and forgets what was begun of other versions.
    private func publish() throws {
        guard rename(draft, path) == 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
        for other in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        where other.hasPrefix(".\(name).") && other.hasSuffix(".part") { unlink("\(directory)/\(other)") }
    }

    /// Of a file's bytes; nil if there is none.
    static func digest(of path: String) throws -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        var digest = SHA256()
        while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty { digest.update(data: bytes) }
        return Hexadecimal.text(digest.finalize())
    }
}

/// What has come of a file so far. Confined to one thread at a time.
struct ExportPart {
    private let path: String
    private let file: Int32
    private var sum = SHA256()
    private(set) var length: Int64 = 0

    /// Opens it, and reads what is there.
    ///
    /// - Throws: `ServiceError` naming the file, as do the other calls.
    init(_ path: String) throws {
        self.path = path
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ServiceError(.failed, "cannot read \(path)", errno: errno) }
            guard count > 0 else { break }
            sum.update(data: buffer[..<count])
            length += Int64(count)
        }
    }

    var digest: String { Hexadecimal.text(sum.finalize()) }

    mutating func append(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
            rest = rest.dropFirst(count)
        }
        sum.update(data: bytes)
        length += Int64(bytes.count)
    }

    mutating func clear() throws {
        guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else {
            throw ServiceError(.failed, "cannot write \(path)", errno: errno)
        }
        (sum, length) = (SHA256(), 0)
    }

    func sync() throws {
        guard fsync(file) == 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
    }

    func close() { Foundation.close(file) }
}
