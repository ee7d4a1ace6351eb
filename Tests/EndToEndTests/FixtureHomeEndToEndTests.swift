import Foundation
import PipelineTesting
import ServiceKit
import TemporaryFiles
import Testing

/// Real processes of this build on homes, backups and recordings that released versions made.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct FixtureHomeEndToEndTests {
    @Test(arguments: FixtureHome.all)
    func `services open a home of before and answer what its version did, although they were killed at that six times`(
        _ fixture: FixtureHome
    ) throws {
        let pack = try Self.pack(), access = try fixture.access()
        try fixture.unpack(into: pack.home)
        try Self.setClock(pack, to: access.nowMilliseconds)
        try Self.killWhileStarting(pack, times: 6)
        try pack.start()
        let answers = FixtureHomeAnswers(fixture: fixture, access: access, pack: pack)
        var difference: String?
        let isEqual = try becomesTrue(within: 60) {
            difference = try answers.firstDifference()
            return difference == nil
        }
        #expect(isEqual, "\(difference ?? "")")
        #expect(try pack.answer("nkul", ["admin", "audit", "verify"]).contains("yes"))
        _ = try pack.answer("nkul", ["doctor"])
    }

    @Test(arguments: FixtureHome.all) func `a backup of before becomes a home with what was in it`(
        _ fixture: FixtureHome
    ) throws {
        let pack = try Self.pack()
        _ = try pack.answer(
            "nkul",
            [
                "restore", fixture.path("backup.nkul"), "--home", pack.home.path("home"), "--identity",
                try fixture.backupIdentity(in: pack.home), "--no-later-orders",
            ])
        try Self.setClock(pack, to: try fixture.access().backupNowMilliseconds)
        try pack.start()
        let token = try RawRowsPage.regulatorToken(pack), expected = try fixture.text("backup-rows.csv")
        var difference: String?
        let isEqual = try becomesTrue(within: 60) {
            let rows = try HTTPExchange.send(
                "GET", "/v1/reports.csv", port: pack.exporterPort, headers: ["Authorization": "Bearer \(token)"])
            difference = TableDifference.first(rows.text, expected, passingOver: ["cursor"])
            return difference == nil
        }
        #expect(isEqual, "\(difference ?? "")")
        #expect(expected.utf8.count { $0 == 10 } > 10)
        let statistics = DumpMapping.text(try fixture.text("backup-dump.txt"), of: fixture.name)
        let dump = try pack.answer("nkul-batch-aggregator", ["--dump"]), isSame = dump == statistics
        #expect(isSame, "\(TextDifference.first(dump, statistics))")
    }

    @Test(arguments: FixtureHome.all) func `a recording of before is played to its end`(
        _ fixture: FixtureHome
    ) throws {
        let pack = try Self.pack(["NKUL_CLOCK": "wall"])
        try pack.start(["nkul-ingest"])
        let played = try pack.answer("nkul", ["replay", fixture.path("recording.csv.gz"), "--max", "--json"])
        let summary = try #require(played.split(separator: "\n").last { $0.hasPrefix("{") })
        let found = try JSONSerialization.jsonObject(with: Data(summary.utf8))
        #expect(DocumentDifference.first(found, try fixture.document("recording")) == nil, "\(played)")
    }

    private static func pack(_ more: [String: String] = [:]) throws -> ServicePack {
        try ServicePack(["NKUL_CLOCK": "recording"].merging(more) { _, more in more })
    }

    /// Services that start from here on live at a time of the fixture, on whatever day the test runs.
    private static func setClock(_ pack: ServicePack, to now: Int64) throws {
        let home = Home(path: pack.home.path("home"))
        try FileManager.default.createDirectory(
            atPath: home.run, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let system = Int64(Date().timeIntervalSince1970 * 1_000)
        try RecordingClock.keep(RecordingTime(recordingAt: now, systemAt: system, speed: 1), in: home)
    }

    /// Starts all services and kills them at once, a little later each time: in the middle of what they do to an old home.
    private static func killWhileStarting(_ pack: ServicePack, times: Int) throws {
        for round in 0..<times {
            for name in ServicePack.names { try pack.processes[name]!.start() }
            // Not a wait for something: where in their start they are killed is what varies.
            usleep(UInt32(20_000 << round))
            pack.kill()
        }
    }
}
