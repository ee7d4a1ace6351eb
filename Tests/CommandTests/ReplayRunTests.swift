import Foundation
import Models
import NIOCore
import QoE
import ServiceKit
import Synchronization
import Testing

@testable import Laboratory

/// Runs against a real HTTP server on a free port that behaves as badly as networks do.
@Suite(.timeLimit(.minutes(2)))
struct ReplayRunTests {
    private let folder = ScratchFolder()
    private var home: Home { Home(path: folder.path + "/home") }

    /// A recording of `devices` phones with `rows` rows each, a row a second.
    private func recording(devices: Int = 4, rows: Int = 260, urgent: Bool = false) throws -> String {
        let path = "\(folder.path)/r.nkul.csv.gz"
        let writer = try RecordingWriter(path: path, notes: RecordingNotes())
        for number in 0..<rows {
            for device in 0..<devices {
                var row = RecordingRow(device: "d\(device)")
                row.capturedAt = 1_000_000 + Int64(number) * 1_000
                row.values[ColumnID.seq] = Int64(number) + 1
                if urgent, number % 50 == 7 { row.values[ColumnID.event] = NetworkEvent.callDrop.rawValue }
                try writer.append(row)
            }
        }
        try writer.finish()
        return path
    }

    private func run(
        _ path: String, on api: PickyDeviceAPI, phones: Int? = nil, isLooping: Bool = false, now: Int64 = 9_000_000,
        name: String = "run", patience: Duration = .seconds(60)
    ) throws -> (ReplayRun, ReplaySender) {
        let survey = try RecordingSurvey(path: path)
        var state = try ReplayState.load(survey.sha256, in: home) ?? ReplayState(survey, now: now)
        state.begin(isLooping: isLooping, end: survey.end, now: now)
        let play = ReplayPlay(survey: survey, cast: ReplayCast(survey.devices, phones: phones), state: state)
        let sender = try ReplaySender(
            target: ReplayTarget(HostPort(host: "127.0.0.1", port: api.port)), connections: 8, run: name,
            timeout: .milliseconds(400), patience: patience)
        return (
            ReplayRun(
                [play], home: home, sender: sender, connections: 8, speed: nil, isLooping: isLooping, now: { now }),
            sender
        )
    }

    /// Plays to the end and gives the counts.
    private func play(
        _ path: String, on api: PickyDeviceAPI, phones: Int? = nil, now: Int64 = 9_000_000, name: String = "run"
    ) async throws -> ReplayTally.Counts {
        let (run, sender) = try run(path, on: api, phones: phones, now: now, name: name)
        do { try await run.run() } catch {
            await sender.pool.shutdown()
            throw error
        }
        await sender.pool.shutdown()
        return sender.tally.current
    }

    @Test func `phones consent to everything, rewards included, so that what they say is paid for`() async throws {
        let api = try await PickyDeviceAPI()
        _ = try await play(try recording(devices: 2, rows: 2), on: api)
        let purposes = [
            "measurement", "location_precise", "location_coarse", "call_events", "rewards", "operator_sharing",
            "research",
        ]
        let all = Dictionary(uniqueKeysWithValues: purposes.map { ($0, true) })
        #expect(api.current.consents == [all, all])
        try await api.stop()
    }

    @Test func `every row arrives exactly once though replies are dropped, cut, torn, late or 503`() async throws {
        let api = try await PickyDeviceAPI { number in
            switch number % 9 {
            case 1: .takeAndCut
            case 3: .cut
            case 4: .busy
            case 6: .tearAnswer
            case 8: .silence
            default: .answer
            }
        }
        let counts = try await play(recording(urgent: true), on: api)
        let state = api.current
        #expect(state.rows.count == 1_040 && state.rows.values.allSatisfy { $0 == 1 })
        #expect(counts.rows == 1_040 && counts.accepted == 1_040 && counts.duplicates == 0)
        #expect(counts.retries > 0)
        #expect(Set(state.rows.keys.map(\.token)).count == 4 && state.enrolled == 4)
        try await api.stop()
    }

    @Test func `the same recording again adds nothing and enrols nobody`() async throws {
        let api = try await PickyDeviceAPI()
        let path = try recording()
        _ = try await play(path, on: api)
        let before = api.current
        let counts = try await play(path, on: api, now: 77_000_000, name: "again")
        #expect(api.current.rows.keys == before.rows.keys && api.current.enrolled == 4)
        #expect(counts.accepted == 0 && counts.duplicates == 1_040)
        try await api.stop()
    }

    @Test func `the recording's end becomes the moment it is first played`() async throws {
        let api = try await PickyDeviceAPI()
        _ = try await play(recording(), on: api)
        #expect(api.current.rows.keys.map(\.capturedAt).max() == 9_000_000)
        #expect(api.current.rows.keys.map(\.capturedAt).min() == 8_741_000)
        try await api.stop()
    }

    @Test func `each kind goes to its own place`() async throws {
        let path = "\(folder.path)/kinds.nkul.csv.gz"
        let writer = try RecordingWriter(path: path, notes: RecordingNotes(), further: [.prompt])
        for (seq, kind) in [RecordingKind.report, .feedback, .prompt].enumerated() {
            var row = RecordingRow(device: "d", kind: kind)
            row.capturedAt = 1_000_000
            row.values[ColumnID.seq] = Int64(seq) + 1
            try writer.append(row)
        }
        try writer.finish()
        let api = try await PickyDeviceAPI()
        let counts = try await play(path, on: api)
        let paths = Dictionary(uniqueKeysWithValues: api.current.rows.keys.map { ($0.seq, $0.path) })
        #expect(counts.accepted == 3 && paths == [1: "/v1/reports", 2: "/v1/feedback", 3: "/v1/me/prompts"])
        try await api.stop()
    }

    @Test func `urgent rows travel alone, others in hundreds`() async throws {
        let api = try await PickyDeviceAPI()
        _ = try await play(recording(urgent: true), on: api)
        let sizes = api.current.uploadSizes
        #expect(sizes.count { $0 == 1 } == 24 && sizes.max() == 100)
        #expect(sizes.reduce(0, +) == 1_040)
        try await api.stop()
    }

    @Test func `an interrupted run goes on without a hole`() async throws {
        let first = try await PickyDeviceAPI { $0 < 5 ? .answer : .silence }
        let path = try recording()
        let (run, sender) = try run(path, on: first)
        let task = Task { [run = Unchecked(run)] in try await run.value.run() }
        while first.current.requests < 9 { await Task.yield() }
        task.cancel()
        try await task.value
        await sender.pool.shutdown()
        let taken = first.current
        try await first.stop()
        #expect(!taken.rows.isEmpty && taken.rows.count < 1_040)

        let found = try ReplayState.load(RecordingSurvey(path: path).sha256, in: home)
        let kept = try #require(found)
        #expect(!kept.isFinished && kept.tokens.count == 4)
        let second = try await PickyDeviceAPI()
        _ = try await play(path, on: second, now: 88_000_000, name: "second")
        #expect(Set(taken.rows.keys).union(second.current.rows.keys).count == 1_040)
        #expect(second.current.enrolled == 0)
        try await second.stop()
    }

    @Test func `more phones than devices play them again, fewer share them`() async throws {
        let api = try await PickyDeviceAPI()
        let path = try recording(devices: 3, rows: 20)
        _ = try await play(path, on: api, phones: 7)
        #expect(api.current.rows.count == 7 * 20 && Set(api.current.rows.keys.map(\.token)).count == 7)
        _ = try await play(path, on: api, phones: 2, name: "fewer")
        let new = api.current.rows.keys.filter { ["token-8", "token-9"].contains($0.token) }
        #expect(new.count == 60 && api.current.enrolled == 9)
        #expect(Set(new.filter { $0.token == "token-8" }.map(\.seq)).count == new.count { $0.token == "token-8" })
        try await api.stop()
    }

    @Test func `tokens are kept where only the owner reads`() async throws {
        let api = try await PickyDeviceAPI()
        let path = try recording(devices: 1, rows: 2)
        _ = try await play(path, on: api)
        let file = try ReplayState.path(RecordingSurvey(path: path).sha256, in: home)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try await api.stop()
    }

    @Test func `rows of an upload that is refused are counted with the reason, the run goes on`() async throws {
        let api = try await PickyDeviceAPI { $0 == 0 ? .refuse(413) : .answer }
        let counts = try await play(recording(devices: 1, rows: 150), on: api)
        #expect(counts.refused == 100 && counts.accepted == 50 && counts.reasons == ["413 no": 100])
        try await api.stop()
    }

    @Test func `an unknown token ends the run and says why`() async throws {
        let api = try await PickyDeviceAPI { _ in .refuse(401) }
        let error = await #expect(throws: ServiceError.self) {
            _ = try await play(recording(devices: 1, rows: 2), on: api)
        }
        #expect("\(try #require(error))".contains("another home"))
        try await api.stop()
    }

    @Test func `a service that stays silent ends the run and names the address`() async throws {
        let api = try await PickyDeviceAPI { _ in .cut }
        let (run, sender) = try run(recording(devices: 1, rows: 2), on: api, patience: .milliseconds(300))
        let error = await #expect(throws: ServiceError.self) { try await run.run() }
        #expect("\(try #require(error))".contains("127.0.0.1:\(api.port)"))
        await sender.pool.shutdown()
        try await api.stop()
    }

    @Test func `that nobody listens is said at once, with the address, and ends the run after a time`() async throws {
        let api = try await PickyDeviceAPI(), port = api.port
        try await api.stop()
        let said = Mutex<[String]>([])
        let sender = try ReplaySender(
            target: ReplayTarget(HostPort(host: "127.0.0.1", port: port)), connections: 2, run: "run",
            firstPatience: .milliseconds(300), say: { text in said.withLock { $0.append(text) } })
        let error = await #expect(throws: ServiceError.self) { try await sender.enrol() }
        #expect("\(try #require(error))".contains("127.0.0.1:\(port) did not answer"))
        #expect("\(try #require(error))".contains("(no connection: Connection refused"))
        let texts = said.withLock { $0 }
        #expect(texts.count == 1 && texts[0].hasPrefix("nobody listens at http://127.0.0.1:\(port)"))
        await sender.pool.shutdown()
    }

    @Test(arguments: [PickyDeviceAPI.Habit.busy, .refuse(429)])
    func `a service that is busy from the start is there, and has the long patience`(habit: PickyDeviceAPI.Habit)
        async throws
    {
        let api = try await PickyDeviceAPI { $0 < 3 ? habit : .cut }
        let sender = try ReplaySender(
            target: ReplayTarget(HostPort(host: "127.0.0.1", port: api.port)), connections: 1, run: "run",
            patience: .seconds(1), firstPatience: .zero)
        let upload = ReplayUpload(
            sender: .init(play: 0, phone: 0, kind: .report), firstRow: 0, due: 0, body: Array("[]".utf8), rows: 0)
        let error = await #expect(throws: ServiceError.self) {
            _ = try await sender.deliver(upload, number: 0, token: "t", due: .now)
        }
        #expect(error?.message.contains("took nothing for 1 s") == true)
        // With the first patience it would have ended after one.
        #expect(api.current.requests > 1)
        await sender.pool.shutdown()
        try await api.stop()
    }

    @Test func `a loop sends the rows again as new ones`() async throws {
        let api = try await PickyDeviceAPI()
        let path = try recording(devices: 2, rows: 30)
        let (run, sender) = try run(path, on: api, isLooping: true)
        let task = Task { [run = Unchecked(run)] in try await run.value.run() }
        while api.current.rows.count < 180 { await Task.yield() }
        task.cancel()
        try await task.value
        await sender.pool.shutdown()
        let seqs = Set(api.current.rows.keys.filter { $0.token == "token-1" }.map(\.seq))
        #expect(seqs.isSuperset(of: 1...60))
        try await api.stop()
    }
}

/// Hands a value to the one task that uses it from then on.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
