import Foundation
import PipelineTesting
import ServiceKit
import TemporaryFiles
import Testing

/// Real processes whose clocks follow a recording, as `make demo` has them.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct RecordingClockTests {
    /// A second of this machine is two minutes of the recording.
    private static let speed = 120

    /// The outage of the recording, on the services' clocks.
    private struct Outage {
        let began: Int
        let ended: Int
        /// The recording's first moment.
        let first: Int
    }

    private struct Truth: Decodable {
        struct Fault: Decodable {
            let from_ms: Int
            let to_ms: Int
        }
        let from_ms: Int
        let faults: [Fault]
    }

    private struct Replay: Decodable {
        let shift_ms: Int
    }

    private struct Health: Decodable {
        let clock: String
        let clock_speed: Double
        let now_ms: Int
    }

    private struct Told: Decodable {
        struct Event: Decodable { let time: String }
        struct Alarm: Decodable { let probableCause: String }
        let event: Event
        let alarm: Alarm
    }

    @Test
    func `services live in the recording's time, one that is killed included, and return to the present`() throws {
        let pack = try ServicePack(["NKUL_CLOCK": "recording"])
        try pack.start()
        let recording = try Self.simulated(in: pack)
        let replay = pack.program(
            "nkul", ["replay", recording, "--clock", "--speed", "\(Self.speed)", "--connections", "120", "--json"])
        try replay.start()
        let outage = try Self.outage(of: recording, pack)

        let ingest = try #require(pack.processes["nkul-ingest"])
        let isThird = becomesTrue(within: 60) {
            guard let health = Self.health(pack) else { return false }
            return health.clock_speed == Double(Self.speed) && health.now_ms > outage.first + 1_500_000
        }
        #expect(isThird, "\(replay.output)")
        ingest.kill()
        try ingest.start()

        #expect(replay.exitCode(within: 180) == 0, "\(replay.output.suffix(2000))")
        try Self.expectReceivedWhenCaptured(pack)
        // By the system's clock no alarm would have come before the recording's end, six minutes after the outage's. Nothing
        // finer is asked: when the machine pauses for a second it is two minutes here. How soon alarms come is measured elsewhere.
        let alarm = try Self.alarmTime(pack, after: outage.began)
        #expect(alarm < outage.ended, "the alarm came \(alarm - outage.began) ms after the outage began")
        let health = try #require(Self.health(pack))
        let now = Int(Date().timeIntervalSince1970 * 1000)
        #expect(health.clock == "recording" && health.clock_speed == 1)
        #expect(abs(health.now_ms - now) < 5_000)
    }

    @Test
    func `services on the system's clock are named, with the setting that is missing`() throws {
        let pack = try ServicePack()
        try pack.start(["nkul-ingest"])
        let recording = try Self.simulated(in: pack)
        func refusal(_ services: String) throws -> String {
            let replay = pack.program("nkul", ["replay", recording, "--clock"], ["NKUL_SERVICES": services])
            try replay.start()
            #expect(replay.exitCode(within: 60) == 1)
            return replay.output
        }
        let wall = try refusal("ingest")
        #expect(wall.contains("nkul-ingest follows the system's clock") && wall.contains("NKUL_CLOCK=recording"))
        #expect(try refusal("ingest,alert-router").contains("nkul-alert-router does not run"))
    }

    /// An hour and a half in Douala; after an hour an operator fails for 24 minutes.
    private static func simulated(in pack: ServicePack) throws -> String {
        let faults = pack.home.path("faults.json"), recording = pack.home.path("evening.csv.gz")
        try """
        {"faults":[{"kind":"outage","plmn":"62402","area":{"town":"Douala","radius_km":7},"from":1.0,"to":1.4}]}
        """.write(toFile: faults, atomically: true, encoding: .utf8)
        _ = try pack.answer(
            "nkul",
            [
                "simulate", "--devices", "120", "--hours", "1.5", "--seed", "3", "--towns", "Douala", "--start",
                "2026-03-02T17:00:00+01:00", "--faults", faults, "-o", recording,
            ])
        return recording
    }

    /// The outage on the services' clocks, once the replay has settled how far the recording is shifted.
    private static func outage(of recording: String, _ pack: ServicePack) throws -> Outage {
        let truth = try JSONDecoder().decode(
            Truth.self, from: Data(contentsOf: URL(fileURLWithPath: recording + ".truth.json")))
        let folder = pack.home.path("home/replay")
        var shift: Int?
        _ = becomesTrue(within: 120) {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            shift =
                files.filter { $0.hasSuffix(".json") }.compactMap { name in
                    FileManager.default.contents(atPath: folder + "/" + name).flatMap {
                        try? JSONDecoder().decode(Replay.self, from: $0).shift_ms
                    }
                }.first
            return shift != nil
        }
        let by = try #require(shift), first = truth.from_ms + by
        let fault = truth.faults[0]
        return Outage(began: fault.from_ms + by, ended: fault.to_ms + by, first: first)
    }

    private static func health(_ pack: ServicePack) -> Health? {
        guard let port = pack.adminPorts["nkul-ingest"],
            let answer = try? HTTPExchange.send("GET", "/healthz", port: port, timeout: 2)
        else { return nil }
        return try? JSONDecoder().decode(Health.self, from: Data(answer.body))
    }

    /// Most rows were received when they were captured, give and take the minute for which phones gather rows, ingest's absence
    /// and pauses of the machine, and none before: by the system's clock half of them would be later than 45 minutes. Phones
    /// without a way to send, of whom there are some, keep theirs until they have one again.
    private static func expectReceivedWhenCaptured(_ pack: ServicePack) throws {
        var rows: [[String: Any]] = []
        _ = try becomesTrue(within: 120) {
            rows = try RawRowsPage.read(pack).values.flatMap { $0 }
            return rows.count > 900
        }
        let delays = try rows.map { row in
            let received = try #require((row["received_at_ms"] as? NSNumber)?.intValue)
            return received - (try #require((row["captured_at_ms"] as? NSNumber)?.intValue))
        }.sorted()
        try #require(delays.count > 900)
        #expect(delays[0] > -5_000 && delays[delays.count / 2] < 600_000)
        #expect(delays[delays.count * 3 / 4] < 1_500_000 && delays[delays.count - 1] < 5_400_000)
    }

    /// When the first alarm of lost service after a time was told, by the router's clock.
    private static func alarmTime(_ pack: ServicePack, after began: Int) throws -> Int {
        let text = SystemTime.text(Int64(began))
        let told = try pack.answer("nkul", ["tail", "--json", "--since", "0", "--once", "alerts/62402/"])
            .split(separator: "\n").compactMap { try? JSONDecoder().decode(Told.self, from: Data($0.utf8)) }
        // Times of one form and zone are in the order of their letters.
        let first = try #require(
            told.filter { $0.alarm.probableCause == "lossOfSignal" }.map(\.event.time).sorted().first { $0 >= text })
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return Int(try #require(formatter.date(from: first)).timeIntervalSince1970 * 1000)
    }
}
