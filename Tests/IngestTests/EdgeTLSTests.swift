import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import ServiceKit
import TemporaryFiles
import Testing

@testable import IngestSupport

/// The device API behind TLS. What other people's clients say of it: `Tests/API/tls`.
@Suite(.timeLimit(.minutes(2))) struct EdgeTLSTests {
    private let directory: TemporaryDirectory
    private let files: TLSFiles

    init() throws {
        directory = try TemporaryDirectory()
        files = TLSFiles(certificate: directory.path + "/cert.pem", key: directory.path + "/key.pem")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
            "/CN=localhost",
            "-days", "30", "-keyout", files.key, "-out", files.certificate,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: files.key)
    }

    /// Asks for a path over TLS of at most a version; the answer and the protocol that was agreed upon.
    private func get(_ port: Int, until version: TLSVersion?) async throws -> String {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.maximumTLSVersion = version
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(
                ByteBuffer(string: "GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
            var text = ""
            for try await bytes in inbound { text += String(buffer: bytes) }
            return text
        }
    }

    @Test func `1.3 is spoken, 1.2 is refused, clear text is no way round`() async throws {
        let bench = try await APIBench(tls: files)
        #expect(try await get(bench.port, until: nil).hasPrefix("HTTP/1.1 404 "))
        await #expect(throws: (any Error).self) { try await get(bench.port, until: .tlsv12) }
        let clear = try await RawClient.with(port: bench.port) { client in
            try await client.send("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
            return try await client.receive()
        }
        #expect(!clear.contains("HTTP/"))
    }

    @Test func `who does not finish the handshake in time is closed`() async throws {
        var limits = EdgeLimits()
        limits.headTime = .milliseconds(100)
        let bench = try await APIBench(limits: limits, tls: files)
        #expect(try await RawClient.with(port: bench.port) { try await $0.receive() } == "")
        #expect(try await get(bench.port, until: nil).hasPrefix("HTTP/1.1 404 "))
    }

    @Test func `connections are counted before they have shaken hands`() async throws {
        var limits = EdgeLimits()
        limits.connections = 1
        let bench = try await APIBench(limits: limits, tls: files)
        try await RawClient.with(port: bench.port) { first in
            try await first.send([0x16, 0x03])
            #expect(try await RawClient.with(port: bench.port) { try await $0.receive() } == "")
        }
    }
}
