import Foundation
import HTTPTypes
import IngestUploads
import NIOCore
import NIOPosix
import ServiceKit
import Storage
import TemporaryFiles
import Testing

@testable import Ingest
@testable import IngestEdge
@testable import IngestSupport

/// Tokens that are not in memory: how many may wait for the database, and what the next one is told.
@Suite(.timeLimit(.minutes(2))) struct LookUpTests {
    private let row = #"{"seq":1,"captured_at_ms":\#(Reading.now)}"#

    @Test func `beyond the limit an unknown token is told to come again, one in memory does not notice`() async throws {
        let bench = try await APIBench(lookUps: 0), token = try await bench.enrol()
        let refused = try await bench.send(row, token: "guess")
        #expect(refused.status == 503 && refused.code == "busy")
        #expect(refused.headers[HTTPField.Name("retry-after")!] == "1")
        #expect(try await bench.send(row, token: token).status == 200)
        // Whoever was not looked up has not failed.
        #expect(try await bench.failureCalls.newest().array == [])
    }

    @Test func `a body that nobody will read is not waited for`() async throws {
        let bench = try await APIBench(lookUps: 0)
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(
                "POST /v1/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer guess\r\nContent-Length: 900000\r\n\r\n")
            return try await client.receive()
        }
        #expect(text.hasPrefix("HTTP/1.1 503 ") && text.contains("connection: close") && bench.budget.bytes == 0)
    }

    @Test func `a WebSocket whose token has left memory is closed and told to come again`() async throws {
        let bench = try await APIBench(lookUps: 0), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            // More devices than are kept in memory.
            for _ in 0..<8 { _ = try await bench.enrol() }
            try await socket.send(row)
            #expect(try await socket.next()?.code == 1013)
        }
    }

    @Test func `places in the queue are given back`() async throws {
        let directory = try TemporaryDirectory()
        let database = try ServiceDatabase(path: directory.path + "/state.sqlite", migrations: IngestSchema.migrations)
        let reader = try database.reader(), refused = Metrics().queueRefusals("lookups")
        let devices = DeviceDirectory(reader: reader, cachedDevices: 4, lookUpLimit: 2, refused: refused)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let held = DispatchSemaphore(value: 0), (entered, isEntered) = AsyncStream.makeStream(of: Void.self)
        Thread {
            reader.readHolding {
                isEntered.finish()
                held.wait()
            }
        }.start()
        for await _ in entered {}
        let waiting = [devices.find("a", on: loop), devices.find("b", on: loop)]
        let third = devices.find("c", on: loop)
        #expect(devices.waiting == 2 && refused.value == 1)
        held.signal()
        await #expect(throws: DeviceAPIError.busy) { _ = try await third.get() }
        for found in waiting { #expect(try await found.get() == nil) }
        #expect(try await devices.find("c", on: loop).get() == nil)
        #expect(devices.waiting == 0 && refused.value == 1)
    }
}

extension ReadOnlyDatabase {
    /// Keeps the connection while `body` runs.
    fileprivate func readHolding(_ body: () -> Void) { try? readOne { _ in body() } }
}
