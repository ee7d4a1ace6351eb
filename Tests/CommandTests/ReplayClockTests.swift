import ArgumentParser
import Command
import Foundation
import Models
import ServiceKit
import Synchronization
import Testing

@testable import Laboratory

@Suite(.timeLimit(.minutes(1)))
struct ReplayClockTests {
    private let folder = ScratchFolder()
    private var home: Home { Home(path: folder.path + "/home") }

    /// Services that note what they are told; some are down or on the system's clock.
    private final class Services: Sendable {
        let states: [ServiceName: JSONValue]
        private let left = Mutex<[RecordingTime]>([])
        private let told = Mutex<[(service: ServiceName, time: RecordingTime, begin: Bool)]>([])

        init(_ states: [ServiceName: JSONValue]) { self.states = states }

        var all: [(service: ServiceName, time: RecordingTime, begin: Bool)] { told.withLock { $0 } }

        /// What was left for services that start later.
        var kept: [RecordingTime] { left.withLock { $0 } }

        func clock(now: Int64 = 9_000_000) -> ReplayClock {
            ReplayClock([.ingest, .alertRouter], now: { now }) { [self] time in
                left.withLock { $0.append(time) }
            } ask: { [self] service, call, arguments in
                guard let state = states[service] else {
                    throw ControlError(code: ControlError.down, message: "\(service.executable) does not run")
                }
                if call == "clock.set" {
                    let time: RecordingTime = try arguments.decoded()
                    told.withLock { $0.append((service, time, arguments["begin"] == true)) }
                }
                return state
            }
        }
    }

    private static let recording: JSONValue = ["clock": "recording", "now_ms": 1, "speed": 1]
    private static let wall: JSONValue = ["clock": "wall", "now_ms": 1, "speed": 1]

    @Test func `services that are down or on the system's clock are named with what to do`() async throws {
        try await Services([.ingest: Self.recording, .alertRouter: Self.recording]).clock().check()
        let down = await #expect(throws: ServiceError.self) {
            try await Services([.alertRouter: Self.recording]).clock().check()
        }
        #expect("\(try #require(down))" == "--clock: nkul-ingest does not run")
        let wall = await #expect(throws: ServiceError.self) {
            try await Services([.ingest: Self.wall, .alertRouter: Self.wall]).clock().check()
        }
        let text = "\(try #require(wall))"
        #expect(["nkul-ingest", "nkul-alert-router", "NKUL_CLOCK=recording"].allSatisfy(text.contains))
    }

    @Test func `all clocks are told the same, to the end even if the run is cancelled`() async throws {
        let services = Services([.ingest: Self.recording, .alertRouter: Self.recording]), clock = services.clock()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.run(from: 5_000, speed: 720)
        }
        try await task.value
        try await clock.release()
        let run = RecordingTime(recordingAt: 5_000, systemAt: 9_000_000, speed: 720)
        #expect(Set(services.all.prefix(2).map(\.service)) == [.ingest, .alertRouter])
        #expect(services.all.map(\.time) == [run, run] + Array(repeating: .system(at: 9_000_000), count: 2))
        #expect(services.all.map(\.begin) == [true, true, false, false])
    }

    @Test func `services that were stopped meanwhile are the system's again when they start`() async throws {
        let services = Services([.alertRouter: Self.recording])
        try await services.clock().release()
        #expect(services.kept == [.system(at: 9_000_000)] && services.all.map(\.service) == [.alertRouter])
        await #expect(throws: ServiceError.self) { try await services.clock().run(from: 1, speed: 1) }
    }

    @Test func `a run holds the clocks at the beginning and starts them with the first upload`() async throws {
        let api = try await PickyDeviceAPI()
        let services = Services([.ingest: Self.recording, .alertRouter: Self.recording])
        let path = "\(folder.path)/r.nkul.csv.gz"
        let writer = try RecordingWriter(path: path, notes: RecordingNotes())
        for second in 0..<200 {
            var row = RecordingRow(device: "d")
            row.capturedAt = 1_000_000 + Int64(second) * 1_000
            row.values[ColumnID.seq] = Int64(second) + 1
            try writer.append(row)
        }
        try writer.finish()
        let survey = try RecordingSurvey(path: path)
        let play = ReplayPlay(
            survey: survey, cast: ReplayCast(survey.devices, phones: nil), state: ReplayState(survey, now: 9_000_000))
        let sender = try ReplaySender(
            target: ReplayTarget(HostPort(host: "127.0.0.1", port: api.port)), connections: 2, run: "run")
        let run = ReplayRun(
            [play], home: home, sender: sender, connections: 2, speed: 10_000, isLooping: false, now: { 9_000_000 },
            clock: services.clock())
        try await run.run()
        await sender.pool.shutdown()
        let told = services.all.filter { $0.service == .ingest }
        // The first row was captured 199 s before the end; its upload is due when it has waited for company for a minute.
        #expect(
            told.map(\.time) == [
                RecordingTime(recordingAt: 8_801_000, systemAt: 9_000_000, speed: 0),
                RecordingTime(recordingAt: 8_861_000, systemAt: 9_000_000, speed: 10_000),
            ])
        #expect(told.map(\.begin) == [true, true] && services.all.count == 4)
        #expect(api.current.rows.count == 200)
        try await api.stop()
    }

    @Test(arguments: [["--max"], ["--speed", "2000000"], ["--speed", "0"]])
    func `a pace that clocks cannot follow is wrong usage`(options: [String]) {
        #expect(throws: (any Error).self) {
            try NkulCommand.parseAsRoot(["replay", "r.csv.gz", "--clock"] + options)
        }
    }
}
