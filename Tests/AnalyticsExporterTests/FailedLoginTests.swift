import GRDB
import HTTPTypes
import Hummingbird
import Models
import NIOCore
import ServiceKit
import Storage
import Testing

@testable import AnalyticsExporter

@Suite struct FailedLoginTests {
    private func recorded(_ exporter: TestExporter) throws -> [String] {
        try exporter.folder.database.read { db in
            try Row.fetchAll(db, sql: "SELECT at, prefix, reason FROM failed_logins ORDER BY number").map { row in
                "\(row[0] as Int64 - TestExporter.now) \(row[1] as String) \(row[2] as String)"
            }
        }
    }

    @Test func failuresAreRecordedWithTimePrefixAndReasonAndNeverTheToken() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let prefix = AddressPrefix.v4([203, 0, 113, 77])
        #expect(await exporter.logIn("secret-guess", from: prefix).response.status == .unauthorized)
        exporter.clock.advance(by: 5)
        for authorization in ["Bearer guess", "Basic abc"] {
            _ = await exporter.request(
                .get, "/v1/alarms", headers: [.authorization: authorization], from: .v6([UInt8](0..<16)))
        }
        _ = await exporter.request(.get, "/v1/alarms", headers: [:], from: prefix)
        #expect(
            try recorded(exporter) == [
                "0 203.0.113.0/24 unknown_token", "5 1:203:405::/48 unknown_bearer", "5 1:203:405::/48 not_bearer",
            ])
    }

    @Test func whoFailsOftenWaitsAndNeitherOthersNorKnownTokensDo() async throws {
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
        #expect(try recorded(exporter).count == LoginBrake.freeFailures + 2)
    }

    @Test func afterTheWaitAnUnknownTokenIsLookedAtAgain() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        for _ in 0...LoginBrake.freeFailures { _ = await exporter.logIn("wrong") }
        #expect(await exporter.logIn("wrong").response.status == .tooManyRequests)
        exporter.clock.advance(by: 1000)
        #expect(await exporter.logIn("wrong").response.status == .unauthorized)
    }

    @Test func theWaitDoublesUpToALimitAndIsForgotten() {
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

    @Test func manyPrefixesDoNotFillMemory() {
        let brake = LoginBrake()
        let stubborn = AddressPrefix(text: "stubborn")
        for _ in 0..<10 { brake.failed(stubborn, now: 0) }
        for number in 0..<LoginBrake.prefixLimit * 2 { brake.failed(AddressPrefix(text: "\(number)"), now: 1) }
        #expect(brake.wait(stubborn, now: 1) > 0)
        #expect(brake.count <= LoginBrake.prefixLimit)
    }

    @Test func prefixesAreCutFromRealAddresses() throws {
        #expect(AddressPrefix(try SocketAddress(ipAddress: "198.51.100.9", port: 1)).text == "198.51.100.0/24")
        #expect(AddressPrefix(try SocketAddress(ipAddress: "2001:db8:7:1::9", port: 1)).text == "2001:db8:7::/48")
        #expect(AddressPrefix(try SocketAddress(ipAddress: "::ffff:198.51.100.9", port: 1)).text == "198.51.100.0/24")
        #expect(AddressPrefix(nil) == .none)
    }

    @Test func theLastFailuresAreShownTheNewestFirst() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        #expect(try await exporter.contactCalls.failures([:]) == [])
        try exporter.folder.database.write { db in
            for age in (1...Int64(FailedLogin.shown)).reversed() {
                try FailedLogin(at: TestExporter.now - age, prefix: .none, reason: .notBearer).store(db)
            }
        }
        _ = await exporter.logIn("wrong", from: .v4([203, 0, 113, 77]))
        let shown = try #require(try await exporter.contactCalls.failures([:]).array)
        #expect(
            shown[0] == [
                "at_ms": .integer(TestExporter.now), "prefix": "203.0.113.0/24", "reason": "unknown_token",
            ])
        #expect(shown.count == FailedLogin.shown && shown.last?["at_ms"] == .integer(TestExporter.now - 99))
    }

    @Test func onlyTheLastFailuresAreKept() throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let kept = try exporter.folder.database.write { db in
            for number in 0..<Int64(FailedLogin.limit + 3) {
                try FailedLogin(at: number, prefix: .none, reason: .unknownToken).store(db)
            }
            try FailedLogin(at: FailedLogin.age + 10, prefix: .none, reason: .unknownToken).store(db)
            return try Int64.fetchOne(db, sql: "SELECT min(at) FROM failed_logins")
        }
        #expect(kept == 10)
    }
}
