import Dispatch
import Foundation
import Models
import Synchronization
import TemporaryFiles
import Testing

@testable import ServiceKit

struct RecordingClockTests {
    private let directory = try! TemporaryDirectory()
    private let system = SystemStandIn()
    private var home: Home { Home(path: directory.path + "/home") }

    /// A system's clock that a test sets.
    private final class SystemStandIn: Sendable {
        private let time = Mutex<Int64>(100_000)

        var clock: WallClock { WallClock { [self] in time.withLock { $0 } } }

        func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    private func clock() throws -> RecordingClock {
        try home.prepare()
        return try RecordingClock(in: home, system: system.clock)
    }

    private func host(_ clock: RecordingClock?) -> ServiceHost {
        ServiceHost(
            .ingest, home: home, logger: Log.logger("test", level: "critical"), clock: system.clock, recording: clock)
    }

    @Test func `it is the system's clock until it is told`() throws {
        let clock = try clock()
        #expect(clock.now() == 100_000 && clock.speed == 1)
        system.advance(by: 5)
        #expect(clock.now() == 100_005 && clock.pause(until: 100_105) == .milliseconds(100))
    }

    @Test func `it goes back at the beginning of a replay and never otherwise`() throws {
        let clock = try clock()
        #expect(clock.now() == 100_000)
        try clock.set(RecordingTime(recordingAt: 1_000, systemAt: 100_000, speed: 10), isBeginning: false)
        #expect(clock.now() == 100_000)
        try clock.set(RecordingTime(recordingAt: 1_000, systemAt: 100_000, speed: 10), isBeginning: true)
        system.advance(by: 100)
        #expect(clock.now() == 2_000 && clock.pause(until: 2_100) == .milliseconds(10))
        try clock.set(RecordingTime(recordingAt: 1_500, systemAt: 100_100, speed: 1), isBeginning: false)
        #expect(clock.now() == 2_000)
        system.advance(by: 499)
        #expect(clock.now() == 2_000)
        system.advance(by: 2)
        #expect(clock.now() == 2_001)
    }

    @Test func `a service that starts in the middle of a replay shows the time of the others`() throws {
        let first = try clock()
        try first.set(RecordingTime(recordingAt: 1_000, systemAt: 100_000, speed: 10), isBeginning: true)
        system.advance(by: 50)
        let second = try clock()
        #expect(second.now() == 1_500 && first.now() == 1_500)
        try RecordingClock.keep(.system(at: 100_050), in: home)
        #expect(try clock().now() == 100_050)
    }

    @Test func `a clock that stood when its replay died runs after a start`() throws {
        let held = try clock()
        try held.set(RecordingTime(recordingAt: 1_000, systemAt: 100_000, speed: 0), isBeginning: true)
        system.advance(by: 50)
        #expect(held.now() == 1_000 && held.speed == 0)
        let next = try clock()
        #expect(next.now() == 1_050 && next.speed == 1)
    }

    @Test func `it is read while the disk writes, and sets follow each other`() throws {
        try home.prepare()
        let begun = DispatchSemaphore(value: 0), goOn = DispatchSemaphore(value: 0)
        let written = Mutex<[Int64]>([])
        let clock = try RecordingClock(in: home, system: system.clock) { time in
            begun.signal()
            _ = goOn.wait(timeout: .now() + 5)
            written.withLock { $0.append(time.recordingAt) }
        }
        let threads = DispatchGroup()
        func set(_ time: Int64) {
            DispatchQueue.global().async(group: threads) {
                try? clock.set(RecordingTime(recordingAt: time, systemAt: 100_000, speed: 1), isBeginning: true)
            }
        }
        set(1_000)
        begun.wait()
        set(2_000)
        #expect(clock.now() == 100_000)
        goOn.signal()
        begun.wait()
        #expect(clock.now() == 1_000)
        goOn.signal()
        threads.wait()
        #expect(clock.now() == 2_000 && written.withLock { $0 } == [1_000, 2_000])
    }

    @Test func `a damaged file is named`() throws {
        try home.prepare()
        try SmallFile.write("{}", to: home.clockFile)
        let error = #expect(throws: ServiceError.self) { try clock() }
        #expect("\(try #require(error))".contains(home.clockFile))
    }

    @Test func `the control calls show and set it`() async throws {
        let clock = try clock(), host = host(clock)
        let calls = Dictionary(uniqueKeysWithValues: ControlCall.clock(of: host).map { ($0.name, $0.answer) })
        let show = try #require(calls["clock.show"]), set = try #require(calls["clock.set"])
        #expect(try await show([:]) == ["clock": "recording", "now_ms": 100_000, "speed": 1])
        let answer = try await set(["now_ms": 1_000, "at_ms": 99_990, "speed": 2.5, "begin": true])
        #expect(answer == ["clock": "recording", "now_ms": 1_025, "speed": 2.5])
        #expect(host.clock.now() == 1_025 && host.systemClock.now() == 100_000)
        for arguments: JSONValue in [[:], ["now_ms": "x"], ["now_ms": 1, "speed": -1], ["now_ms": 1, "speed": "x"]] {
            let error = await controlError { _ = try await set(arguments) }
            #expect(error?.code == ControlError.badArgument)
        }
    }

    @Test func `a service on the system's clock shows it and cannot be set`() async throws {
        try home.prepare()
        let calls = ControlCall.clock(of: host(nil))
        #expect(calls.map(\.name) == ["clock.show"])
        #expect(try await calls[0].answer([:]) == ["clock": "wall", "now_ms": 100_000, "speed": 1])
    }

    @Test func `healthz says which clock it is`() throws {
        let clock = try clock()
        try clock.set(RecordingTime(recordingAt: 1_000, systemAt: 100_000, speed: 720), isBeginning: true)
        let health = AdminAnswer.health(host(clock))
        #expect(health.contains("\"clock\":\"recording\"") && health.contains("\"clock_speed\":720"))
        #expect(health.contains("\"now_ms\":1000,") && health.contains("\"started_at_ms\":100000"))
        #expect(AdminAnswer.health(host(nil)).contains("\"clock\":\"wall\""))
    }
}
