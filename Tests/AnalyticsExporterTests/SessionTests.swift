import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import NIOCore
import ServiceKit
import Testing

@testable import AnalyticsExporter

@Suite struct SessionTests {
    @Test func aSessionEndsAfterTwelveHours() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let cookie = try #require(await exporter.logIn(exporter.token).cookie)
        exporter.clock.advance(by: 12 * 3_600_000 - 1)
        #expect(await exporter.request("/v1/alarms", headers: [.cookie: cookie]).status == .ok)
        exporter.clock.advance(by: 1)
        #expect(await exporter.request("/v1/alarms", headers: [.cookie: cookie]).status == .unauthorized)
    }

    @Test func aSessionSurvivesARestartAndItsNameIsNowhereInTheDatabase() async throws {
        let directory = try TemporaryDirectory()
        let cookie = try await {
            let exporter = try TestExporter(directory)
            return try #require(await exporter.logIn(try await exporter.tenant("mtn", ["62401"])).cookie)
        }()
        let exporter = try TestExporter(directory)
        #expect(await exporter.request("/v1/session", headers: [.cookie: cookie]).status == .ok)
        let name = Array(cookie.utf8.drop { $0 != UInt8(ascii: "=") }.dropFirst())
        for file in ["state.sqlite", "state.sqlite-wal"] {
            let bytes = FileManager.default.contents(atPath: directory.path + "/" + file) ?? Data()
            #expect(bytes.range(of: Data(name)) == nil)
        }
    }

    @Test func whetherOneIsLoggedInIsAnswered200EitherWay() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let before = await exporter.request("/v1/session/state", headers: [:])
        #expect(before.status == .ok)
        #expect(String(decoding: try await before.bytes(), as: UTF8.self) == "{\"logged_in\":false}\n")
        let stale = await exporter.request("/v1/session/state", headers: [.cookie: "nkul_session=x"])
        #expect(stale.status == .ok)
        let cookie = try #require(await exporter.logIn(exporter.token).cookie)
        let after = await exporter.request("/v1/session/state", headers: [.cookie: cookie])
        #expect(String(decoding: try await after.bytes(), as: UTF8.self) == "{\"logged_in\":true}\n")
    }

    @Test func tokensAreNotTriedOutByAskingForTheState() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let guess = TestExporter.bearer("guess"), right = TestExporter.bearer(exporter.token)
        #expect(await exporter.request("/v1/session/state", headers: guess).status == .unauthorized)
        #expect(await exporter.request("/v1/session/state", headers: right).status == .ok)
    }

    @Test func revokingAContactEndsItsTokenItsSessionsAndItsStream() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        _ = try await exporter.tenant("mtn", ["62401"])
        let token = try await exporter.contact("ngo", of: "mtn", .viewer)
        let cookie = try #require(await exporter.logIn(token).cookie)
        let stream = await exporter.request("/v1/alarms/stream", headers: [.cookie: cookie])
        let body = CollectedBody()
        let writing = Task { try await stream.body.write(body) }
        while exporter.bell.listeners == 0 { await Task.yield() }
        _ = try await exporter.contactCalls.revoke(["tenant": "mtn", "name": "ngo"])
        exporter.bell.ring()
        // Ends by itself: the bell is not closed.
        try await writing.value
        #expect(await exporter.request("/v1/alarms", headers: [.cookie: cookie]).status == .unauthorized)
        #expect(
            await exporter.request("/v1/alarms", headers: TestExporter.bearer(token)).status == .unauthorized)
        #expect(await exporter.logIn(token).response.status == .unauthorized)
    }

    @Test func aContactHasAtMostSoManySessionsAndTheOldestMakesRoom() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var cookies: [String] = []
        for _ in 0...SessionStore.limit {
            cookies.append(try #require(await exporter.logIn(exporter.token).cookie))
            exporter.clock.advance(by: 1)
        }
        var open: [Bool] = []
        for cookie in cookies {
            open.append(await exporter.request("/v1/session", headers: [.cookie: cookie]).status == .ok)
        }
        #expect(open == [false] + Array(repeating: true, count: SessionStore.limit))
    }

    @Test func aViewerMayLogOutAndChangeNothing() throws {
        let gate = Gate(directory: AccessDirectory(AccessSnapshot(builtIn: SecretDigest(of: "t"))))
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: "nkul.test", path: "/", headerFields: [:])
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        for role in ContactRole.allCases {
            let caller = Caller(tenant: .builtIn, contact: "c", role: role, token: SecretDigest(of: "t"))
            try gate.checkWrite(caller, request, ofItself: true)
            if role == .viewer {
                #expect(throws: Problem.self) { try gate.checkWrite(caller, request) }
            } else {
                try gate.checkWrite(caller, request)
            }
        }
    }
}
