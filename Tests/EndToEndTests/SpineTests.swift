import Foundation
import PipelineTesting
import Testing

/// The whole spine as real processes, with everything going wrong that may: the promise of the README.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct SpineTests {
    @Test("killed services and lost replies lose nothing and double nothing")
    func killedServicesAndLostReplies() throws {
        let pack = try ServicePack()
        try pack.start()
        let now = Int(Date().timeIntervalSince1970 * 1000)
        let recording = try FieldRecording(seed: 20_191_116, now: now) { try Self.imports($0, to: $1, pack) }
        #expect(recording.recordCount >= 20_000)
        let proxy = try CuttingProxy(target: pack.ingestPort, seed: 7)
        defer { proxy.stop() }
        let listener = try AlarmListener(pack)
        defer { listener.stop() }
        let phones = try recording.phones.map { _ in try EnrolledPhone.enrolled(port: pack.ingestPort) }
        let uploads = PhoneFleet.uploads(of: recording, size: 25, seed: 3)

        let fleet = PhoneFleet(phones: phones, uploads: uploads, port: proxy.port)
        var chaos = Chaos(seed: 11)
        fleet.start(threads: 4, pause: 50_000)
        try chaos.run(pack, leastKills: 4) { fleet.acknowledged + fleet.problems.count == uploads.count }
        #expect(fleet.problems.isEmpty, "\(fleet.problems.prefix(3))")
        #expect(proxy.losses > 20)

        let model = Self.model(of: fleet, recording, now)
        try Self.expectAllAgrees(pack, model, listener)

        let again = PhoneFleet(phones: phones, uploads: uploads, port: pack.ingestPort)
        again.start(threads: 4, pause: 0)
        _ = becomesTrue(within: 120) { again.acknowledged + again.problems.count == uploads.count }
        #expect(again.problems.isEmpty, "\(again.problems.prefix(3))")
        try Self.expectAllAgrees(pack, model, listener)
        print(
            "end to end: \(model.rows.count) rows (\(recording.isReal ? "real" : "generated")),",
            "\(chaos.kills.values.reduce(0, +)) kills, \(proxy.losses) losses, \(model.alarms.count) alarms")
    }

    @Test("a recording replayed twice is there once")
    func replayedTwice() throws {
        let pack = try ServicePack()
        try pack.start()
        let log = try FieldRecording.logs.first ?? Self.smallRecording(in: pack)
        let recording = pack.home.path("one.csv.gz")
        try Self.imports([log], to: recording, pack)
        var counts: [Int] = []
        for _ in 0..<2 {
            let replay = pack.program("nkul", ["replay", recording, "--max", "--devices", "3"])
            try replay.start()
            #expect(replay.exitCode(within: 120) == 0, "\(replay.output.suffix(2000))")
            counts.append(try Self.settledCount(pack))
        }
        #expect(counts[0] > 300)
        #expect(counts[1] == counts[0])
    }

    @Test("SIGTERM under load ends every service within 10 s and loses nothing")
    func terminationUnderLoad() throws {
        let pack = try ServicePack()
        try pack.start()
        let now = Int(Date().timeIntervalSince1970 * 1000)
        let recording = try FieldRecording(seed: 5, now: now) { try Self.imports($0, to: $1, pack) }
        let phones = try recording.phones.map { _ in try EnrolledPhone.enrolled(port: pack.ingestPort) }
        let uploads = PhoneFleet.uploads(of: recording, size: 50, seed: 3)
        let fleet = PhoneFleet(phones: phones, uploads: uploads, port: pack.ingestPort)
        fleet.start(threads: 4, pause: 2000)
        _ = becomesTrue(within: 30) { fleet.acknowledged > uploads.count / 10 }
        for process in pack.processes.values { process.askToStop() }
        for (name, process) in pack.processes {
            #expect(process.exitCode(within: 10) == 0, "\(name): \(pack.output(of: name))")
        }
        try pack.start()
        _ = becomesTrue(within: 120) { fleet.acknowledged + fleet.problems.count == uploads.count }
        #expect(fleet.problems.isEmpty, "\(fleet.problems.prefix(3))")
        try Self.expectAllAgrees(pack, Self.model(of: fleet, recording, now), nil)
    }

    /// `nkul import`, as an operator calls it.
    private static func imports(_ logs: [String], to path: String, _ pack: ServicePack) throws {
        let process = pack.program("nkul", ["import"] + logs + ["-o", path])
        try process.start()
        let code = process.exitCode(within: 120)
        guard code == 0 else { throw Refused(status: Int(code ?? -1), text: process.output) }
    }

    /// A small recording where no traffic is at hand: a CSV with the columns of the device API.
    private static func smallRecording(in pack: ServicePack) throws -> String {
        var text = "device,kind,captured_at_ms,seq,latitude,longitude,network_type,mcc,mnc,download_kbps\n"
        for second in 0..<500 {
            text += "a,report,\(1_700_000_000_000 + second * 1000),\(second + 1),4.05,9.7,LTE,624,1,\(second * 10)\n"
        }
        let path = pack.home.path("small.csv")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// The model after the same uploads; phones are numbered from 1 as they enrolled.
    private static func model(of fleet: PhoneFleet, _ recording: FieldRecording, _ now: Int) -> ReferenceModel {
        var model = ReferenceModel()
        for upload in fleet.uploads { _ = model.submit(upload.records, device: upload.phone + 1, receivedAt: now) }
        return model
    }

    /// Raw rows, statistics and alarms are those of the model, each exactly once.
    private static func expectAllAgrees(
        _ pack: ServicePack, _ model: ReferenceModel, _ listener: AlarmListener?
    ) throws {
        _ = try becomesTrue(within: 120) { try RawRowsPage.read(pack).count >= model.rows.count }
        let rows = try RawRowsPage.read(pack)
        #expect(rows.count == model.rows.count)
        #expect(rows.values.allSatisfy { $0.count == 1 }, "rows that came more than once")
        let differing = model.rows.first { !RowComparison.agrees(rows[$0.id]?.first, $0) }
        #expect(differing == nil, "\(differing!) came as \(rows[differing!.id] ?? [])")
        var dump = ""
        _ = try becomesTrue(within: 60) {
            dump = try Self.dump(pack)
            return dump == model.dump
        }
        #expect(dump == model.dump, "\(TextDifference.first(dump, model.dump))")
        if let listener { try listener.expectComplete(model.alarms) }
    }

    private static func dump(_ pack: ServicePack) throws -> String {
        let process = pack.program("nkul-batch-aggregator", ["--dump"])
        try process.start()
        let code = process.exitCode(within: 60)
        guard code == 0 else { throw Refused(status: Int(code ?? -1), text: process.output) }
        return process.output
    }

    /// How many raw rows there are once nothing more comes for two seconds.
    private static func settledCount(_ pack: ServicePack) throws -> Int {
        var count = -1, since = Date()
        _ = try becomesTrue(within: 60) {
            let rows = try RawRowsPage.read(pack).count
            if rows != count { (count, since) = (rows, Date()) }
            return Date().timeIntervalSince(since) > 2 && count > 0
        }
        return count
    }
}
