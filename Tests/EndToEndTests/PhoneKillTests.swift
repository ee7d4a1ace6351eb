import Foundation
import PipelineTesting
import TemporaryFiles
import Testing

/// `nkul phone`, the device kit as a real process, against a real ingest.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled), .timeLimit(.minutes(10)))
struct PhoneKillTests {
    private struct Summary: Decodable {
        let made, accepted, duplicates, unsent, uploads: Int
        let not_taken: [String: Int]
        let interrupted: Bool
    }

    /// Ingest asks for uploads each second, so that most kills find one on its way.
    private static let settings = ["NKUL_INGEST_UPLOAD_PERIOD_SECONDS": "1"]

    private func phone(_ pack: ServicePack, _ arguments: [String]) -> ServiceProcess {
        pack.program(
            "nkul",
            [
                "phone", "--url", "http://127.0.0.1:\(pack.ingestPort)", "--store",
                pack.home.path("phone/store.sqlite"),
                "--online", "--quiet", "--every", "0.02", "--json",
            ] + arguments)
    }

    private func summary(_ process: ServiceProcess) throws -> Summary {
        let line = process.output.split(separator: "\n").last { $0.hasPrefix("{") }
        return try JSONDecoder().decode(Summary.self, from: Data(try #require(line).utf8))
    }

    @Test
    func `killed again and again, the phone goes on where it was, and each report is accepted once`() throws {
        let pack = try ServicePack(Self.settings)
        try pack.start(["nkul-ingest", "nkul-analytics-exporter"])
        var random = SeededRandom(seed: 46), kills = 0
        let wanted = ["--samples", "1200"]
        var process = phone(pack, wanted)
        while kills < 14 {
            try process.start()
            let moment = Date().addingTimeInterval(Double(random.within(300...2_500)) / 1_000)
            _ = becomesTrue(within: 10) { Date() >= moment || process.exitCode(within: 0) != nil }
            guard process.identifier != 0 else { break }
            process.kill()
            kills += 1
            process = phone(pack, wanted)
        }
        if process.identifier == 0, kills == 14 { try process.start() }
        if process.identifier != 0 { #expect(process.exitCode(within: 240) == 0, "\(process.output.suffix(2_000))") }
        let summary = try summary(process)
        #expect(kills >= 5 && summary.made >= 1_200 && summary.unsent == 0 && summary.not_taken.isEmpty)
        #expect(summary.accepted + summary.duplicates == summary.made)
        #expect(try becomesTrue(within: 120) { try RawRowsPage.read(pack).count >= summary.made })
        let rows = try RawRowsPage.read(pack)
        #expect(rows.count == summary.made && rows.values.allSatisfy { $0.count == 1 })
        print(
            "phone: \(kills) kills, \(summary.made) reports in \(summary.uploads) uploads, \(summary.duplicates) told twice"
        )
    }

    @Test
    func `Ctrl-C ends it cleanly, and the next run goes on`() throws {
        let pack = try ServicePack(Self.settings)
        try pack.start(["nkul-ingest"])
        let first = phone(pack, ["--samples", "100000"])
        try first.start()
        let store = pack.home.path("phone/store.sqlite")
        #expect(becomesTrue(within: 60) { FileManager.default.fileExists(atPath: store) })
        let second = phone(pack, ["--samples", "1"])
        #expect(
            becomesTrue(within: 60) {
                // Only once it has the store to itself does it refuse another.
                guard (try? second.start()) != nil else { return false }
                return second.exitCode(within: 60) == 1 && second.output.contains("locked")
            })
        first.interrupt()
        #expect(first.exitCode(within: 30) == 1)
        let stopped = try summary(first)
        #expect(stopped.interrupted && stopped.unsent >= 0)
        let third = phone(pack, ["--samples", "\(stopped.made + 10)"])
        try third.start()
        #expect(third.exitCode(within: 120) == 0)
        #expect(try summary(third).made >= stopped.made + 10)
        #expect(try summary(third).unsent == 0)
    }

    @Test
    func `urgent records go over a WebSocket`() throws {
        let pack = try ServicePack(Self.settings)
        try pack.start(["nkul-ingest"])
        let process = pack.program(
            "nkul",
            [
                "phone", "--url", "http://127.0.0.1:\(pack.ingestPort)", "--store",
                pack.home.path("phone/store.sqlite"),
                // A day in 14 s, until it is interrupted: hours of the night, in which nothing is urgent, must not be all it lives.
                "--online", "--every", "0.02", "--json", "--samples", "100000", "--speed", "6000",
            ])
        try process.start()
        let isOpen = try becomesTrue(within: 240) {
            let metrics = try HTTPExchange.send("GET", "/metrics", port: pack.adminPorts["nkul-ingest"]!).text
            return metrics.split(separator: "\n").contains("nkul_ingest_realtime_connections 1")
        }
        #expect(isOpen)
        process.interrupt()
        #expect(process.exitCode(within: 60) == 1)
    }
}
