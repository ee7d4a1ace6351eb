import Foundation
import Models
import PipelineTesting
import ServiceKit
import TemporaryFiles
import Testing

/// Retention with real processes: a home that was away for forty days deletes what is too old by itself.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct RetentionEndToEndTests {
    private static let day = 86_400_000.0

    @Test func `a home that comes back after forty days deletes what is too old at once, and says so`() throws {
        let pack = try ServicePack([
            "NKUL_CLOCK": "recording", "NKUL_PRIVACY_WORKER_RETAIN_CONTRIBUTIONS_DAYS": "30",
            "NKUL_PRIVACY_WORKER_RETAIN_ALARMS_DAYS": "30", "NKUL_BATCH_AGGREGATOR_MINIMUM_DEVICES": "2",
        ])
        let now = (Date().timeIntervalSince1970 * 1_000).rounded(.down), then = now - 40 * Self.day
        try Self.setClock(pack, to: then, at: now)
        try pack.start()
        let phone = try EnrolledPhone.enrolled(port: pack.ingestPort)
        #expect(try Self.send(phone, from: 1, at: then, latitude: 4.05, pack) == 40)
        // Another beside it, and one where nobody else is.
        for latitude in [4.05, 4.9] {
            let other = try EnrolledPhone.enrolled(port: pack.ingestPort)
            #expect(try Self.send(other, from: 1, at: then, latitude: latitude, pack) == 40)
        }
        #expect(try becomesTrue(within: 60) { try RawRowsPage.read(pack).count == 120 })
        #expect(try becomesTrue(within: 60) { try Self.alarms(pack).contains("62401") })
        #expect(try becomesTrue(within: 60) { try Self.rewarded(phone, pack) == 1 })
        #expect(becomesTrue(within: 120) { (try? Self.impact(phone, pack)) == 1 })
        var dump = ""
        let isCounted = try becomesTrue(within: 60) {
            dump = try pack.answer("nkul-batch-aggregator", ["--dump"])
            return dump.contains(" samples=120 devices=3 ")
        }
        #expect(isCounted, "\(dump)")
        let files = try Self.rawFiles(pack)
        #expect(files.count == 1)

        for process in pack.processes.values { process.kill() }
        try FileManager.default.removeItem(atPath: pack.home.path("home/run/clock.json"))
        try pack.start()
        #expect(try Self.send(phone, from: 1_001, at: now, latitude: 4.25, pack) == 40)
        // Whoever is killed in the middle goes on.
        for name in ["nkul-analytics-exporter", "nkul-alert-router", "nkul-batch-aggregator", "nkul-ingest"] {
            pack.processes[name]!.kill()
            try pack.processes[name]!.start()
        }
        try pack.expectReady(within: 60)

        var last: [String: Any] = [:]
        let isDone = try becomesTrue(within: 90) {
            last = try Self.json(pack, "show")["last_run"] as? [String: Any] ?? [:]
            return last["completed_at_ms"] is NSNumber
        }
        #expect(isDone, "\(last)")
        #expect(Self.removed("raw_rows", last) == 120 && Self.removed("alarms", last) == 2, "\(last)")
        #expect(Self.removed("open_rows", last) == 120)
        #expect(try Self.files(pack, "batch-aggregator/open").count == 1, "old open rows are there")
        #expect(Self.removed("contributions", last) >= 1)
        #expect(try !Self.rawFiles(pack).contains { files.contains($0) }, "the day file is there")
        #expect(try becomesTrue(within: 60) { try RawRowsPage.read(pack).count == 40 })
        #expect(try RawRowsPage.read(pack).values.flatMap { $0 }.allSatisfy { ($0["seq"] as? Int ?? 1_001) > 1_000 })
        try Self.expectRest(pack, phone, dump)
    }

    /// What must not change, what follows, and what a dry run then says.
    private static func expectRest(_ pack: ServicePack, _ phone: EnrolledPhone, _ dump: String) throws {
        let lines = try pack.answer("nkul-batch-aggregator", ["--dump"]).split(separator: "\n")
        let old = dump.split(separator: "\n"), alone = old.filter { $0.contains(" devices=1 ") }
        #expect(Set(old).subtracting(alone).isSubset(of: lines), "statistics of the old rows have changed")
        #expect(!alone.isEmpty && Set(alone).isDisjoint(with: lines), "statistics of one phone are there")
        #expect(try rewarded(phone, pack) == 2)
        #expect(try becomesTrue(within: 60) { try impact(phone, pack) == 1 })
        #expect(try pack.answer("nkul", ["admin", "audit", "verify"]).contains("yes"))
        #expect(try pack.answer("nkul", ["admin", "retention", "list"]).contains("schedule"))
        let dry = try pack.answer("nkul", ["admin", "retention", "run", "--dry-run", "--json"])
        let order = try JSONSerialization.jsonObject(with: Data(dry.utf8)) as? [String: Any] ?? [:]
        #expect(order["dry_run"] as? Bool == true && (order["removed"] as? Int) == 0, "\(order)")
        #expect((order["reports"] as? [Any])?.count == RetentionKind.keepers.count)
        let metrics = try HTTPExchange.send("GET", "/metrics", port: pack.adminPorts["nkul-privacy-worker"]!).text
        #expect(metrics.contains("\nnkul_retention_late 0\n"))
    }

    /// Thirty-nine reports, an emergency among them, and a feedback of one network in one cell.
    private static func send(
        _ phone: EnrolledPhone, from seq: Int, at time: Double, latitude: Double, _ pack: ServicePack
    ) throws -> Int {
        let place: [String: ReferenceRecord.Value] = [
            "captured_at_ms": .number(time), "latitude": .number(latitude), "longitude": .number(9.7),
            "mcc": .number(624),
            "mnc": .number(1),
        ]
        let reports = (0..<39).map { number in
            let event: [String: ReferenceRecord.Value] =
                number == 0 ? ["event": .text("emergency")] : ["latency_ms": .number(20)]
            return ReferenceRecord(
                kind: "report",
                fields: place.merging(["seq": .number(Double(seq + number))]) { $1 }.merging(event) { $1 })
        }
        let feedback = ReferenceRecord(
            kind: "feedback",
            fields: place.merging(["seq": .number(Double(seq + 39)), "rating": .number(4)]) { $1 })
        return try [reports, [feedback]].reduce(0) { sum, records in
            try sum + phone.send(records, key: nil, port: pack.ingestPort).count { $0 == "accepted" }
        }
    }

    private static func setClock(_ pack: ServicePack, to time: Double, at now: Double) throws {
        let run = pack.home.path("home/run")
        try FileManager.default.createDirectory(
            atPath: run, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try RecordingClock.keep(
            RecordingTime(recordingAt: Int64(time), systemAt: Int64(now), speed: 1),
            in: Home(path: pack.home.path("home")))
    }

    private static func json(_ pack: ServicePack, _ words: String...) throws -> [String: Any] {
        let text = try pack.answer("nkul", ["admin", "retention"] + words + ["--json"])
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    private static func removed(_ kind: String, _ order: [String: Any]) -> Int {
        (order["reports"] as? [[String: Any]] ?? []).compactMap { report in
            ((report["kinds"] as? [String: Any])?[kind] as? [String: Any])?["removed"] as? Int
        }.reduce(0, +)
    }

    private static func rawFiles(_ pack: ServicePack) throws -> [String] {
        try files(pack, "analytics-exporter/raw")
    }

    private static func files(_ pack: ServicePack, _ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: pack.home.path("home/\(folder)"))
            .filter { $0.hasSuffix(".sqlite") }
    }

    private static func alarms(_ pack: ServicePack) throws -> String {
        let headers = ["Authorization": "Bearer \(try RawRowsPage.regulatorToken(pack))"]
        return try HTTPExchange.send("GET", "/v1/alarms", port: pack.exporterPort, headers: headers).text
    }

    /// Grants that a phone is shown.
    private static func rewarded(_ phone: EnrolledPhone, _ pack: ServicePack) throws -> Int {
        try me("rewards", phone, pack, "grants")
    }

    /// Alarms that a phone is shown to have helped to raise.
    private static func impact(_ phone: EnrolledPhone, _ pack: ServicePack) throws -> Int {
        try me("impact", phone, pack, "alarms")
    }

    private static func me(_ what: String, _ phone: EnrolledPhone, _ pack: ServicePack, _ list: String) throws -> Int {
        let answer = try EnrolledPhone.insisting {
            try HTTPExchange.send(
                "GET", "/v1/me/\(what)", port: pack.ingestPort, headers: ["Authorization": "Bearer \(phone.token)"])
        }
        let members = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        return (members?[list] as? [Any])?.count ?? 0
    }
}
