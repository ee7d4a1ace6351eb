import Foundation
import Models
import PipelineTesting
import ServiceKit
import TemporaryFiles
import Testing

/// Exports with real processes that are killed meanwhile: what operators fetch is what they may see, and what was erased is in no
/// file of the home.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct ExportEndToEndTests {
    @Test(arguments: ["0", "1"])
    func `an hour that is over is exported, and again without those who were erased`(encryption: String) throws {
        let devices = EndToEnd.number("NKUL_E2E_DEVICES", default: 100)
        let pack = try ServicePack([
            "NKUL_ENCRYPT_BLOCKS": encryption, "NKUL_CLOCK": "recording", "NKUL_INGEST_ADDRESS_CALLS_PER_MINUTE": "0",
        ])
        // An hour begins when the load does, and is over two hours later.
        let then = (Int64(Date().timeIntervalSince1970 * 1_000) / 3_600_000 - 2) * 3_600_000
        try Self.setClock(pack, to: then)
        try pack.start()
        let load = try ErasureLoad(pack, devices: devices, erased: devices / 10, seed: 31, now: Int(then))
        load.begin()
        #expect(becomesTrue(within: 300) { load.isDone } && load.problems.isEmpty, "\(load.problems.prefix(3))")
        let sent = load.uploads.reduce(0) { $0 + $1[0].count }
        #expect(try becomesTrue(within: 120) { try RawRowsPage.read(pack).count == sent })
        let mtn = try TenantAccess.added("mtn", ["62401"], in: pack).token,
            regulator = try RawRowsPage.regulatorToken(pack)
        for token in [mtn, regulator] { #expect(try ExportsPage.read(pack, token).files.isEmpty) }

        // Clocks go on by hours while the services are away.
        pack.kill()
        try FileManager.default.removeItem(atPath: pack.home.path("home/run/clock.json"))
        try pack.start()
        for token in [mtn, regulator] { try Self.expectExports(pack, token) }
        let before = try HomeScan.run(pack.home.path("home"), for: load.subjects(sentOnly: true))
        let inExports = before.places.filter { $0.key.contains("/exports/") }
        #expect(Set(inExports.values.joined()).count == load.erased.count, "\(before.places.keys.sorted())")

        load.goOn()
        var chaos = Chaos(seed: 29)
        try chaos.run(pack, leastKills: 2) { load.isDone }
        #expect(load.problems.isEmpty, "\(load.problems.prefix(3))")
        try ErasureEndToEndTests.expectCompleted(pack, load)
        let after = try HomeScan.run(pack.home.path("home"), for: load.subjects(sentOnly: false))
        #expect(after.places.isEmpty, "\(after.places.mapValues { $0.sorted().prefix(5) })")
        for token in [mtn, regulator] {
            try Self.expectExports(pack, token)
            #expect(try ExportsPage.read(pack, token).files.contains { $0.version > 1 && ($0.rows ?? 0) > 0 })
        }
        let last = try HomeScan.run(pack.home.path("home"), for: load.subjects(sentOnly: false))
        #expect(last.places.isEmpty, "\(last.places.mapValues { $0.sorted().prefix(5) })")
        print("exports: \(chaos.kills.values.reduce(0, +)) kills, \(inExports.count) files had erased rows before")
    }

    private static func setClock(_ pack: ServicePack, to time: Int64) throws {
        try FileManager.default.createDirectory(
            atPath: pack.home.path("home/run"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try RecordingClock.keep(
            RecordingTime(recordingAt: time, systemAt: Int64(Date().timeIntervalSince1970 * 1_000), speed: 1),
            in: Home(path: pack.home.path("home")))
    }

    /// Every file is current within a minute, holds for anybody who checks it, and together they have what a download has.
    private static func expectExports(_ pack: ServicePack, _ token: String) throws {
        func downloaded(before end: Int64) throws -> [String] {
            let lines = try Self.lines("/v1/reports.csv", pack, token)
            let place = try #require(lines.first).components(separatedBy: ",").firstIndex(of: "received_at_ms")!
            return lines.dropFirst().filter { Int64($0.components(separatedBy: ",")[place])! < end }
        }
        var isSame = false
        let isDone = becomesTrue(within: 90) {
            guard let page = try? ExportsPage.read(pack, token), page.isCurrent, page.rows > 0, page.figures > 0,
                let lines = try? downloaded(before: page.complete)
            else { return false }
            isSame = page.rows == lines.count
            return isSame
        }
        #expect(
            isDone && isSame,
            "\((try? ExportsPage.read(pack, token).files.count) ?? -1) files; \(pack.output(of: "nkul-analytics-exporter"))"
        )
        let found = try ExportsPage.fetched(pack, token, to: pack.home.path("fetched"))
        #expect(try found.lines.sorted() == downloaded(before: found.end).sorted())
    }

    private static func lines(_ path: String, _ pack: ServicePack, _ token: String) throws -> [String] {
        String(decoding: try ExportsPage.fetch(path, pack, token), as: UTF8.self).components(separatedBy: "\r\n")
            .filter { !$0.isEmpty }
    }
}
