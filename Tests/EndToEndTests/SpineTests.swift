import Foundation
import PipelineTesting
import TemporaryFiles
import Testing

/// The whole pipeline as real processes, with everything going wrong that may: the promise of the README.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct SpineTests {
    @Test
    func `killed services and lost replies lose nothing and double nothing`() throws {
        let pack = try ServicePack()
        try pack.start()
        let proxy = try CuttingProxy(target: pack.ingestPort, seed: 7)
        defer { proxy.stop() }
        let listener = try AlarmListener(AlertAccess.regulator(of: pack))
        defer { listener.stop() }
        let load = try FieldLoad(pack, seed: 20_191_116, size: 25, port: proxy.port)
        #expect(load.recording.recordCount >= 20_000)
        var chaos = Chaos(seed: 11)
        load.fleet.start(threads: 4, pause: 50_000)
        try chaos.run(pack, leastKills: 4) { load.fleet.isDone }
        load.expectSent()
        #expect(proxy.losses > 20)
        let model = load.model
        try PipelineCheck.expectAgreement(pack, model, listener)

        let again = load.repeated(in: pack)
        again.fleet.start(threads: 4, pause: 0)
        again.expectSent()
        try PipelineCheck.expectAgreement(pack, model, listener)
        print(
            "end to end: \(model.rows.count) rows (\(load.recording.isReal ? "real" : "generated")),",
            "\(chaos.kills.values.reduce(0, +)) kills, \(proxy.losses) losses, \(model.alarms.count) alarms")
    }

    @Test
    func `a recording replayed twice is there once`() throws {
        let pack = try ServicePack()
        try pack.start()
        let log = try FieldTraces.logs.first ?? Self.smallRecording(in: pack)
        let recording = pack.home.path("one.csv.gz")
        try FieldTraces.importing([log], to: recording)
        var counts: [Int] = []
        for _ in 0..<2 {
            _ = try pack.answer("nkul", ["replay", recording, "--max", "--devices", "3"])
            counts.append(try Self.settledCount(pack))
        }
        #expect(counts[0] > 300)
        #expect(counts[1] == counts[0])
    }

    @Test
    func `SIGTERM under load ends every service within 10 s and loses nothing`() throws {
        let pack = try ServicePack()
        try pack.start()
        let load = try FieldLoad(pack, seed: 5, size: 50)
        load.fleet.start(threads: 4, pause: 2000)
        #expect(load.fleet.reaches(0.1))
        for process in pack.processes.values { process.askToStop() }
        for (name, process) in pack.processes {
            #expect(process.exitCode(within: 10) == 0, "\(name): \(pack.output(of: name))")
        }
        try pack.start()
        load.expectSent()
        try PipelineCheck.expectAgreement(pack, load.model)
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
