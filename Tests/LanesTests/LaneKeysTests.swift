import Foundation
import Lanes
import Models
import Storage
import TemporaryFiles
import Testing
import ZeroMQ

/// Who may read a lane that leaves the machine.
@Suite(.serialized) struct LaneKeysTests {
    @Test func `a reader without keys, or with keys of another house, gets nothing`() throws {
        let world = try SocketWorld(.tcp)
        defer { world.stop() }
        try world.append(10, from: 1)
        let strangers = try [
            world.connect(at: LaneEndpoint(address: world.address, security: .clearText)),
            world.connect(at: world.endpoint(ofReaderWith: try .generate())),
            world.connect(at: otherHouse(at: world.address)),
        ]
        let friend = try world.connect()
        #expect(try friend.take(rows: 10) == Array(1...10))
        try world.append(10, from: 11)
        #expect(try friend.take(rows: 10) == Array(11...20))
        for stranger in strangers {
            #expect(stranger.client.next(until: .now + .milliseconds(300)).isEmpty)
            #expect(stranger.client.statuses[.batch] == .waiting)
        }
    }

    @Test func `a writer that admits nobody serves nobody, not even the keys of the house`() throws {
        let world = try SocketWorld(.tcp, admitsReaders: false)
        defer { world.stop() }
        try world.append(10, from: 1)
        let reader = try world.connect()
        #expect(reader.client.next(until: .now + .seconds(1)).isEmpty)
        #expect(reader.client.statuses[.batch] == .waiting)
    }

    @Test func `without its keys a lane over tcp is an error that names lane, file and command`() throws {
        let directory = try TemporaryDirectory()
        let keys = LaneKeys(directory: directory.path)
        let addresses: [LaneName: String] = [.batch: "tcp://ingest:7002"]
        for endpoints in [keys.serving, keys.reading] {
            #expect {
                try endpoints([.batch], addresses)
            } throws: { error in
                ["lane batch", "tcp://ingest:7002", "\(directory.path)/lanes.", "nkul lane-keys"]
                    .allSatisfy("\(error)".contains)
            }
        }
    }

    @Test func `a lane on this machine needs no keys`() throws {
        let keys = LaneKeys(directory: "/nonexistent")
        let addresses: [LaneName: String] = [.batch: "ipc:///tmp/batch.sock"]
        #expect(try keys.serving([.batch], at: addresses)[.batch]?.address == "ipc:///tmp/batch.sock")
        #expect(try keys.reading([.batch], at: addresses)[.batch]?.address == "ipc:///tmp/batch.sock")
    }

    @Test func `a host that only reads lanes needs no secret of the writers, and the other way round`() throws {
        let house = try TemporaryDirectory(), reader = try TemporaryDirectory(), writer = try TemporaryDirectory()
        try LaneKeys.make(in: KeyStore(directory: house.path))
        for (name, host) in [
            ("client.key", reader), ("server.public", reader), ("server.key", writer), ("client.public", writer),
        ] {
            try FileManager.default.copyItem(atPath: house.path("lanes.\(name)"), toPath: host.path("lanes.\(name)"))
        }
        let addresses: [LaneName: String] = [.batch: "tcp://127.0.0.1:7002"]
        _ = try LaneKeys(directory: reader.path).reading([.batch], at: addresses)
        _ = try LaneKeys(directory: writer.path).serving([.batch], at: addresses)
        #expect(throws: LaneError.self) { try LaneKeys(directory: reader.path).serving([.batch], at: addresses) }
        #expect(throws: LaneError.self) { try LaneKeys(directory: writer.path).reading([.batch], at: addresses) }
    }

    @Test func `keys are made once, and a copied public key is never joined by another secret`() throws {
        let house = try TemporaryDirectory(), reader = try TemporaryDirectory()
        try LaneKeys.make(in: KeyStore(directory: house.path))
        let first = try Data(contentsOf: URL(fileURLWithPath: house.path("lanes.server.key")))
        try LaneKeys.make(in: KeyStore(directory: house.path))
        #expect(try Data(contentsOf: URL(fileURLWithPath: house.path("lanes.server.key"))) == first)
        try FileManager.default.copyItem(
            atPath: house.path("lanes.server.public"), toPath: reader.path("lanes.server.public"))
        try LaneKeys.make(in: KeyStore(directory: reader.path))
        #expect(!FileManager.default.fileExists(atPath: reader.path("lanes.server.key")))
    }

    @Test func `a key that others may read is refused`() throws {
        let directory = try TemporaryDirectory()
        let keys = try LaneKeys.make(in: KeyStore(directory: directory.path))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: directory.path("lanes.server.key"))
        #expect(throws: StorageError.self) { try keys.serving([.batch], at: [.batch: "tcp://127.0.0.1:7002"]) }
    }

    @Test(arguments: [
        ("tcp://ingest:7002", "tcp://*:7002"), ("tcp://nkul.example.org:7002", "tcp://*:7002"),
        ("tcp://localhost:7002", "tcp://127.0.0.1:7002"), ("tcp://10.0.0.5:7002", "tcp://10.0.0.5:7002"),
        ("tcp://[::1]:7002", "tcp://[::1]:7002"),
    ])
    func `a writer binds a number as it is, and every address for a name`(address: String, bound: String) throws {
        let directory = try TemporaryDirectory()
        let keys = try LaneKeys.make(in: KeyStore(directory: directory.path))
        #expect(try keys.serving([.batch], at: [.batch: address])[.batch]?.address == bound)
        #expect(try keys.reading([.batch], at: [.batch: address])[.batch]?.address == address)
    }

    private func otherHouse(at address: String) throws -> LaneEndpoint {
        let directory = try TemporaryDirectory()
        let keys = try LaneKeys.make(in: KeyStore(directory: directory.path))
        return try keys.reading([.batch], at: [.batch: address])[.batch]!
    }
}

extension SocketWorld {
    /// Knows the writer's public key, but has a key of its own that nobody admitted.
    fileprivate func endpoint(ofReaderWith own: CurveKeyPair) throws -> LaneEndpoint {
        var endpoint = try reading()
        if case .curveClient(_, let serverKey) = endpoint.security {
            endpoint.security = .curveClient(keys: own, serverKey: serverKey)
        }
        return endpoint
    }
}
