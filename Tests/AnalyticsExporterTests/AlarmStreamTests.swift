import AnalyticsExporter
import ExporterSupport
import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import Storage
import TemporaryFiles
import Testing
import Wire

@testable import ExporterStores

@Suite struct AlarmStreamTests {
    /// Reads events of a stream until there are so many.
    ///
    /// - Parameters:
    ///   - backlog: events that are there already; what happens then would change what is read of them.
    ///   - meanwhile: happens once these are read.
    private func events(
        _ count: Int, _ exporter: TestExporter, lastEventID: String?, backlog: Int = 0,
        meanwhile: () throws -> Void = {}
    ) async throws -> [String] {
        var headers: HTTPFields = [.authorization: "Bearer \(exporter.token)"]
        headers[.lastEventID] = lastEventID
        let response = await exporter.request("/v1/alarms/stream", headers: headers)
        #expect(response.status == .ok && response.headers[.contentType] == "text/event-stream")
        #expect(response.headers[HTTPField.Name("X-Accel-Buffering")!] == "no")
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let writing = Task { try await response.body.write(CollectedBody(news: continuation)) }
        var text = ""
        var hasBegun = false
        for await bytes in stream {
            text += String(decoding: bytes, as: UTF8.self)
            // The first piece is sent after listening began.
            if !hasBegun, text.components(separatedBy: "\nevent: ").count > backlog {
                hasBegun = true
                try meanwhile()
            }
            if text.components(separatedBy: "\nevent: ").count > count { break }
        }
        exporter.alarmChanges.close()
        try await writing.value
        return text.components(separatedBy: "\n\n").filter { $0.contains("event: ") }
    }

    @Test func `the list has the latest of each alarm`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.alerts)
        try exporter.take([try lane.alarms([("a", #"{"id":"a","n":1}"#), ("b", #"{"id":"b"}"#)])])
        try exporter.take([try lane.alarms([("a", #"{"id":"a","n":2}"#), ("b", nil)])])
        let expected =
            #"{"last_event_id":4,"complete_to":null,"complete_to_ms":null,"alarms":[{"id":"a","n":2}]}"# + "\n"
        #expect(try await exporter.text("/v1/alarms") == expected)
    }

    @Test func `a stream resumes after the last event`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.alerts)
        try exporter.take([try lane.alarms((1...5).map { ("\($0)", #"{"id":"\#($0)"}"#) })])
        let events = try await events(4, exporter, lastEventID: "2", backlog: 3) {
            try exporter.take([try lane.alarms([("3", nil)])])
        }
        #expect(
            events.map { String($0.drop { $0 != "i" }) } == [
                "id: 3\nevent: alarm\ndata: {\"id\":\"3\"}", "id: 4\nevent: alarm\ndata: {\"id\":\"4\"}",
                "id: 5\nevent: alarm\ndata: {\"id\":\"5\"}", "id: 6\nevent: deleted\ndata: {\"id\":\"3\"}",
            ])
    }

    @Test(arguments: ["99", "-5", "x"])
    func `an event that never was means reset`(id: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.alerts)
        try exporter.take([try lane.alarms([("a", "{}")])])
        let events = try await events(1, exporter, lastEventID: id)
        #expect(events == ["id: 1\nevent: reset\ndata: {}"])
    }

    @Test func `what is known already is no news`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.alerts)
        try exporter.take([try lane.alarms([("a", #"{"id":"a"}"#)])])
        try exporter.take([try lane.alarms([("a", #"{"id":"a"}"#), ("gone", nil)])])
        #expect(try await exporter.text("/v1/alarms").contains(#""last_event_id":1,"#))
    }

    @Test func `changes are kept for a while only`() throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.alerts)
        var decoder = ColumnDecoder()
        let columns = try lane.alarms((1...30).map { ("\($0)", "{}") }).block.columns(with: &decoder)
        let database = exporter.folder.database
        let changed = try database.write { try AlarmStore(kept: 10).apply(columns, in: $0) }
        #expect(changed == 30)
        let changes = try [19, 20, 30].map { after in
            try database.read {
                try AlarmStore.changes(after: after, limit: 100, .builtIn, $0)?.changes.map(\.sequence)
            }
        }
        #expect(changes == [nil, Array(21...30), []])
    }
}
