import Lanes
import Models
import ServiceKit
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct IngestCallsTests {
    private let row = #"{"seq":1,"captured_at_ms":1760000000000}"#

    @Test func `devices are listed a page at a time, without their secrets`() async throws {
        let bench = try await APIBench()
        var tokens: [String] = []
        for _ in 0..<3 { tokens.append(try await bench.enrol()) }
        let first = try await bench.calls.page(["limit": 2])
        #expect(first.devices.map(\.ordinal) == [1, 2] && first.next == 2)
        let rest = try await bench.calls.page(["after": 2, "limit": 2])
        #expect(rest.devices.map(\.ordinal) == [3] && rest.next == nil)
        #expect(first.devices[0].consent == ["measurement", "location_precise", "call_events"])
        #expect(first.devices[0].platform == "android" && first.devices[0].revoked_at_ms == nil)
        let text = try JSONValue(encoding: first).text
        #expect(!tokens.contains { text.contains($0) })
        await #expect(throws: ControlError.self) { try await bench.calls.page(["limit": 1_001]) }
    }

    @Test func `a device is found by its UUID and by its number`() async throws {
        let bench = try await APIBench()
        _ = try await bench.enrol()
        let device = try await bench.calls.device(["device": "1"])
        let same = try await bench.calls.device(["device": .string(device.device)])
        #expect(same == device && RecordIdentifier(text: device.device) != nil)
        for name: JSONValue in ["2", "nobody", "00000000-0000-4000-8000-000000000000", ""] {
            await #expect(throws: ControlError.self) { try await bench.calls.device(["device": name]) }
        }
    }

    @Test func `a revoked token is nobody's at once, and what it sent stays`() async throws {
        let bench = try await APIBench()
        let revoked = try await bench.enrol(), other = try await bench.enrol()
        for token in [revoked, other] { #expect(try await bench.send(row, token: token).status == 200) }
        let device = try await bench.calls.revoke(["device": "1"])
        #expect(device.revoked_at_ms == Reading.now)
        #expect(try await bench.send(row, token: revoked).status == 401)
        #expect(try await bench.send(row, token: other).status == 200)
        #expect(try await bench.calls.revoke(["device": "1"]) == device)
        #expect(try await bench.calls.page([:]).devices.map { $0.revoked_at_ms != nil } == [true, false])
    }

    @Test func `readers of all three lanes are asked on the commit thread`() async throws {
        let bench = try await APIBench()
        let standings = try await bench.calls.requests.perform { $0.readerStandings }
        #expect(standings.isEmpty)
        await #expect(throws: ReaderRefusal.unknown(reader: "x", lane: .requests, known: [])) {
            try await bench.calls.requests.perform { try $0.detach(ReaderDetachment(lane: .requests, reader: "x")) }
        }
        await #expect(throws: ReaderRefusal.self) {
            try await bench.calls.requests.perform { try $0.detach(ReaderDetachment(lane: .alerts, reader: "x")) }
        }
    }
}
