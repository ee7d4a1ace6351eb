import Foundation
import Storage
import TemporaryFiles
import Testing

@Suite struct KeyStoreTests {
    let directory: TemporaryDirectory
    let store: KeyStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try KeyStore(directory: directory.path("keys"))
    }

    @Test func `secret is made once and stays`() throws {
        let first = try store.secret("a") { [1, 2, 3] }
        let second = try store.secret("a") { [4, 5, 6] }
        #expect(first == [1, 2, 3] && second == first)
    }

    @Test func `files are for their owner only`() throws {
        _ = try store.blockSealer(service: "ingest")
        let file = try FileManager.default.attributesOfItem(atPath: store.path("ingest.key"))
        let keys = try FileManager.default.attributesOfItem(atPath: store.directory)
        #expect(file[.posixPermissions] as? Int == 0o600)
        #expect(keys[.posixPermissions] as? Int == 0o700)
        #expect(file[.size] as? Int == 32)
    }

    @Test func `sealer is the same after a restart`() throws {
        let sealed = try store.blockSealer(service: "ingest").seal([1, 2, 3], additional: [])
        let again = try KeyStore(directory: store.directory).blockSealer(service: "ingest")
        #expect(try again.open(sealed, additional: [], place: "") == [1, 2, 3])
    }

    @Test func `open permissions are refused by name`() throws {
        _ = try store.secret("a") { [1] }
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: store.path("a"))
        let error = try #require(throws: StorageError.self) { try store.existing("a") }
        #expect(error.code == .badKey && error.path == store.path("a"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.directory)
        #expect(throws: StorageError.self) { try KeyStore(directory: store.directory) }
    }

    @Test func `key of wrong length is refused`() throws {
        try store.store("ingest.key", [1, 2, 3])
        let error = try #require(throws: StorageError.self) { try store.blockSealer(service: "ingest") }
        #expect(error.code == .badKey)
    }

    @Test func `racing makers get the same bytes`() async throws {
        let store = store
        let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<16 { group.addTask { try store.secret("raced") { [UInt8(number), 1, 2] } } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(secrets.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory) == ["raced"])
    }

    @Test func `store replaces whole`() throws {
        try store.store("a", [1])
        try store.store("a", [2, 3])
        #expect(try store.existing("a") == [2, 3])
        #expect(try store.existing("b") == nil)
    }
}
