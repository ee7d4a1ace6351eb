import GRDB
import HTTPTypes
import Hummingbird
import Models
import NIOCore
import ServiceKit
import Storage
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterSupport

@Suite struct FailedLoginTests {
    private func recorded(_ exporter: TestExporter) throws -> [String] {
        try exporter.folder.database.read { db in
            try FailedAuthentication.newest(db).map {
                "\($0.last - TestExporter.now) \($0.prefix.text) \($0.reason) \($0.count)"
            }.sorted()
        }
    }

    @Test func `failures are recorded with time prefix and reason and never the token`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let prefix = ClientAddress.v4([203, 0, 113, 77]).prefix
        #expect(await exporter.logIn("secret-guess", from: prefix).response.status == .unauthorized)
        exporter.clock.advance(by: 5)
        for authorization in ["Bearer guess", "Basic abc"] {
            _ = await exporter.request(
                .get, "/v1/alarms", headers: [.authorization: authorization],
                from: ClientAddress.v6([UInt8](0..<16)).prefix)
        }
        _ = await exporter.request(.get, "/v1/alarms", headers: [:], from: prefix)
        #expect(
            try recorded(exporter) == [
                "0 203.0.113.0/24 unknown_token 1", "5 1:203:405::/48 not_bearer 1",
                "5 1:203:405::/48 unknown_bearer 1",
            ])
    }

    @Test func `who fails often waits and neither others nor known tokens do`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let near = AddressPrefix(text: "near"), far = AddressPrefix(text: "far")
        for _ in 0..<LoginBrake.freeFailures {
            #expect(await exporter.logIn("wrong", from: near).response.status == .unauthorized)
        }
        #expect(await exporter.logIn("wrong", from: near).response.status == .unauthorized)
        let slowed = await exporter.logIn("wrong", from: near).response
        #expect(slowed.status == .tooManyRequests && slowed.headers[.retryAfter] == "1")
        #expect(await exporter.logIn("wrong", from: far).response.status == .unauthorized)
        #expect(
            await exporter.request(
                .get, "/v1/alarms", headers: TestExporter.bearer(exporter.token), from: near
            ).status == .ok)
        #expect(await exporter.logIn(exporter.token, from: near).response.status == .noContent)
        #expect(
            try recorded(exporter) == [
                "0 far unknown_token 1", "0 near unknown_token \(LoginBrake.freeFailures + 1)",
            ])
    }

    @Test func `after the wait an unknown token is looked at again`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        for _ in 0...LoginBrake.freeFailures { _ = await exporter.logIn("wrong") }
        #expect(await exporter.logIn("wrong").response.status == .tooManyRequests)
        exporter.clock.advance(by: 1000)
        #expect(await exporter.logIn("wrong").response.status == .unauthorized)
    }

    @Test func `the wait doubles up to a limit and is forgotten`() {
        let brake = LoginBrake()
        let prefix = AddressPrefix(text: "p")
        var waits: [Int64] = []
        for _ in 0..<12 {
            brake.failed(prefix, now: 1000)
            waits.append(brake.wait(prefix, now: 1000) / 1000)
        }
        #expect(waits == [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30])
        brake.failed(prefix, now: 1000 + LoginBrake.memory)
        #expect(brake.wait(prefix, now: 1000 + LoginBrake.memory) == 0)
        #expect(brake.wait(prefix, now: -1_000_000) <= LoginBrake.longestWait)
    }

    @Test func `many prefixes do not fill memory`() {
        let brake = LoginBrake()
        let stubborn = AddressPrefix(text: "stubborn")
        for _ in 0..<10 { brake.failed(stubborn, now: 0) }
        for number in 0..<LoginBrake.prefixLimit * 2 { brake.failed(AddressPrefix(text: "\(number)"), now: 1) }
        #expect(brake.wait(stubborn, now: 1) > 0)
        #expect(brake.count <= LoginBrake.prefixLimit)
    }

    @Test func `the last failures are shown the newest first`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        #expect(try await exporter.contactCalls.failures([:]) == [])
        try exporter.folder.database.write { db in
            for age in (1...Int64(FailedAuthentication.shown)).reversed() {
                let old = FailedAuthentication(
                    prefix: .none, reason: "not_bearer", last: TestExporter.now - age * 60_000)
                try FailedAuthentication.store([old], now: TestExporter.now, db)
            }
        }
        for _ in 0..<2 { _ = await exporter.logIn("wrong", from: ClientAddress.v4([203, 0, 113, 77]).prefix) }
        let shown = try #require(try await exporter.contactCalls.failures([:]).array)
        #expect(
            shown[0] == [
                "at_ms": .integer(TestExporter.now), "prefix": "203.0.113.0/24", "reason": "unknown_token", "count": 2,
            ])
        #expect(shown.count == FailedAuthentication.shown)
        #expect(shown.last?["at_ms"] == .integer(TestExporter.now - 99 * 60_000))
    }
}
