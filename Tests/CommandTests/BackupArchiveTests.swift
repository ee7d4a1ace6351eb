import Foundation
import Models
import Storage
import Testing

@testable import Administration

/// Backups as files: what goes in comes out, and nothing else ever does.
struct BackupArchiveTests {
    private let folder = ScratchFolder()
    private let identity = RecipientSeal.newKey()

    private func manifest(_ files: [(String, [UInt8])]) -> BackupManifest {
        BackupManifest(
            createdAt: 1, lanes: [], cursors: [],
            files: files.map { BackupManifest.File(path: $0.0, bytes: $0.1.count, isDatabase: false) })
    }

    private func write(_ files: [(String, [UInt8])], to name: String = "b") throws -> String {
        let path = "\(folder.path)/\(name)"
        let writer = try BackupWriter(path: path, to: RecipientSeal.publicKey(of: identity), manifest(files))
        for (name, bytes) in files {
            let source = folder.write("source", bytes)
            let file = open(source, O_RDONLY)
            defer { close(file) }
            try writer.add(name, bytes: bytes.count, from: file)
        }
        try writer.finish()
        return path
    }

    private func read(_ path: String) throws -> [(String, [UInt8])] {
        var files: [(String, [UInt8])] = [], current: [UInt8] = []
        try BackupReader(path: path, identity: identity).forEachPiece { entry, piece, isEnd in
            current += piece
            if isEnd {
                files.append((entry.path, current))
                current = []
            }
        }
        return files
    }

    @Test(arguments: 0..<8) func `any files come out as they went in`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sizes = [
            0, 1, 1_000, BackupArchive.pieceBytes - 1, BackupArchive.pieceBytes, BackupArchive.pieceBytes + 1,
            2_500_000,
        ]
        let files = (0..<Int(random.next() % 5)).map { number in
            let isRandom = random.next() % 2 == 0
            let count = sizes[Int(random.next() % UInt64(sizes.count))]
            // Some that cannot be compressed, some that can; made in words, for a debug build is slow.
            var bytes = [UInt8](repeating: 7, count: count)
            if isRandom {
                bytes.withUnsafeMutableBytes { bytes in
                    for word in 0..<count / 8 {
                        bytes.storeBytes(of: random.next(), toByteOffset: word * 8, as: UInt64.self)
                    }
                }
            }
            return ("f\(number)", bytes)
        }
        let read = try read(write(files))
        #expect(read.map(\.0) == files.map(\.0))
        #expect(read.map(\.1) == files.map(\.1))
    }

    @Test func `only the identity that belongs to the recipient reads it`() throws {
        let path = try write([("a", [1, 2, 3])])
        #expect(throws: BackupError.self) { try BackupReader(path: path, identity: RecipientSeal.newKey()) }
    }

    @Test func `there is no file before it is whole, and none of a writer that gave up`() throws {
        let path = "\(folder.path)/b"
        do {
            let writer = try BackupWriter(
                path: path, to: RecipientSeal.publicKey(of: identity), manifest([("a", [1, 2, 3])]))
            #expect(!FileManager.default.fileExists(atPath: path))
            _ = writer
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `what is no backup, or is longer or shorter than a backup, is said to be`() throws {
        func problem(_ bytes: [UInt8]) -> String {
            let path = folder.write("x", bytes)
            do {
                _ = try read(path)
                return ""
            } catch { return "\(error)" }
        }
        #expect(problem([]).hasSuffix("is no backup of nkul"))
        #expect(
            problem(Array("nkul-backup 2\n".utf8) + [UInt8](repeating: 0, count: 100)).hasSuffix("is no backup of nkul")
        )
        let whole = Array(FileManager.default.contents(atPath: try write([("a", [1, 2, 3])]))!)
        #expect(problem(whole) == "")
        #expect(problem(whole + [0]) != "")
        #expect(problem(Array(whole.dropLast())).hasSuffix("is cut off"))
    }
}
