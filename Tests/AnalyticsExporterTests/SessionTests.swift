import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import NIOCore
import ServiceKit
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterSupport

@Suite struct SessionTests {
    @Test func `a session ends after twelve hours`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let cookie = try #require(await exporter.logIn(exporter.token).cookie)
        exporter.clock.advance(by: 12 * 3_600_000 - 1)
        #expect(await exporter.request("/v1/alarms", headers: [.cookie: cookie]).status == .ok)
        exporter.clock.advance(by: 1)
        #expect(await exporter.request("/v1/alarms", headers: [.cookie: cookie]).status == .unauthorized)
    }

    @Test func `a recordings clock is shown and ends no session`() async throws {
        struct Content: Decodable {
            let clock: String
            let clock_speed: Double
            let now_ms: Int64
        }
        let directory = try TemporaryDirectory()
        let home = Home(path: directory.path + "/home")
        try home.prepare()
        let system = TestClock(TestExporter.now)
        let recording = try RecordingClock(in: home, system: WallClock { system.now })
        let exporter = try TestExporter(directory, recording: recording)
        let day: Int64 = 86_400_000
        let beginning = RecordingTime(
            recordingAt: TestExporter.now - 2 * day, systemAt: TestExporter.now, speed: 720)
        try recording.set(beginning, isBeginning: true)
        let cookie = try #require(await exporter.logIn(exporter.token).cookie)
        system.advance(by: 120_000)
        let answer = await exporter.request("/v1/session", headers: [.cookie: cookie])
        #expect(answer.status == .ok)
        let content = try JSONDecoder().decode(Content.self, from: Data(try await answer.bytes()))
        #expect(content.clock == "recording" && content.clock_speed == 720)
        #expect(content.now_ms == TestExporter.now - day)
    }

    @Test func `a session names the contacts to whom an alarm can be handed over, and no other tenant's`() async throws
    {
        struct Content: Decodable { let contact: String, role: String, contacts: [String] }
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        _ = try await exporter.tenant("orange", ["62402"])
        let token = try await exporter.tenant("mtn", ["62401"])
        _ = try await exporter.contact("ann", of: "mtn", .engineer)
        _ = try await exporter.contact("vera", of: "mtn", .viewer)
        let cookie = try #require(await exporter.logIn(token).cookie)
        let answer = await exporter.request("/v1/session", headers: [.cookie: cookie])
        let content = try JSONDecoder().decode(Content.self, from: Data(try await answer.bytes()))
        #expect(content.contacts == ["ann", "manager"] && content.contact == "manager" && content.role == "manager")
        _ = try await exporter.contactCalls.revoke(["tenant": "mtn", "name": "ann"])
        let later = await exporter.request("/v1/session", headers: [.cookie: cookie])
        #expect(try JSONDecoder().decode(Content.self, from: Data(try await later.bytes())).contacts == ["manager"])
    }

    @Test func `a session survives a restart and its name is nowhere in the database`() async throws {
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

    @Test func `whether one is logged in is answered 200 either way`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        func state(_ headers: HTTPFields) async throws -> [String: Any] {
            let response = await exporter.request("/v1/session/state", headers: headers)
            #expect(response.status == .ok)
            return try JSONSerialization.jsonObject(with: Data(try await response.bytes())) as! [String: Any]
        }
        #expect(try await state([:])["logged_in"] as? Bool == false)
        #expect(try await state([.cookie: "nkul_session=x"])["logged_in"] as? Bool == false)
        let cookie = try #require(await exporter.logIn(exporter.token).cookie)
        let open = try await state([.cookie: cookie])
        #expect(open["logged_in"] as? Bool == true)
        #expect(open["now_ms"] as? Int64 == TestExporter.now && open["clock"] as? String == "wall")
        #expect(open["clock_speed"] as? Double == 1)
    }

    @Test func `a session that is over is ended without an error and nobody loses a cookie to another site`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let cookie = try #require(await exporter.logIn(exporter.token).cookie)
        // A request of another site has no cookie, as it is SameSite=Strict.
        let foreign = await exporter.request(.delete, "/v1/session", headers: [.origin: "http://evil.test"])
        #expect(foreign.status == .noContent && foreign.headers[.setCookie] == nil)
        #expect(await exporter.request("/v1/alarms", headers: [.cookie: cookie]).status == .ok)
        exporter.clock.advance(by: SessionStore.lifetime)
        let late = await exporter.request(
            .delete, "/v1/session", headers: [.cookie: cookie, .origin: "http://nkul.test"])
        #expect(late.status == .noContent)
        let guess = await exporter.request(.delete, "/v1/session", headers: TestExporter.bearer("guess"))
        #expect(guess.status == .unauthorized)
    }

    @Test func `tokens are not tried out by asking for the state`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let guess = TestExporter.bearer("guess"), right = TestExporter.bearer(exporter.token)
        #expect(await exporter.request("/v1/session/state", headers: guess).status == .unauthorized)
        #expect(await exporter.request("/v1/session/state", headers: right).status == .ok)
    }

    @Test func `revoking a contact ends its token its sessions and its stream`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        _ = try await exporter.tenant("mtn", ["62401"])
        let token = try await exporter.contact("ngo", of: "mtn", .viewer)
        let cookie = try #require(await exporter.logIn(token).cookie)
        let stream = await exporter.request("/v1/alarms/stream", headers: [.cookie: cookie])
        let body = CollectedBody()
        let writing = Task { try await stream.body.write(body) }
        while exporter.alarmChanges.listeners == 0 { await Task.yield() }
        _ = try await exporter.contactCalls.revoke(["tenant": "mtn", "name": "ngo"])
        exporter.alarmChanges.send()
        // Ends by itself: the broadcast is not closed.
        try await writing.value
        #expect(await exporter.request("/v1/alarms", headers: [.cookie: cookie]).status == .unauthorized)
        #expect(
            await exporter.request("/v1/alarms", headers: TestExporter.bearer(token)).status == .unauthorized)
        #expect(await exporter.logIn(token).response.status == .unauthorized)
    }

    @Test func `a contact has at most so many sessions and the oldest makes room`() async throws {
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

    @Test func `a viewer may log out and change nothing`() throws {
        let gate = Gate(directory: AccessDirectory(AccessSnapshot(builtIn: SecretDigest(of: "t"))))
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: "nkul.test", path: "/", headerFields: [:])
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        for role in ContactRole.allCases {
            let caller = Caller(tenant: .builtIn, contact: "c", role: role, token: SecretDigest(of: "t"))
            try gate.checkWrite(caller, request, ofItself: true)
            if role == .viewer {
                #expect(throws: ExporterAPIError.self) { try gate.checkWrite(caller, request) }
            } else {
                try gate.checkWrite(caller, request)
            }
        }
    }
}
