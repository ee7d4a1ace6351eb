import Foundation
import GRDB
import PipelineTesting
import TemporaryFiles
import Testing

/// The disk of ingest fills up or fails while phones upload: 503 and never a false 2xx, and it goes on.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct DiskTests {
    private static let others = ServicePack.names.filter { $0 != "nkul-ingest" }

    @Test(.enabled(if: SmallDisk.isPossible, "a tmpfs cannot be mounted"))
    func `a disk that is full is answered 503, and uploads go on by themselves when there is room`() throws {
        let pack = try ServicePack()
        let disk = try SmallDisk(pack.home.path("home/ingest"), megabytes: 120)
        defer { disk.remove() }
        try pack.start()
        let load = DiskLoad(port: pack.ingestPort)
        try load.start()
        defer { load.stop() }
        for round in 1...2 {
            #expect(load.goesOn(by: 30))
            disk.fill()
            #expect(becomesTrue(within: 120) { load.refused.values.reduce(0, +) >= round * 20 }, "\(load.refused)")
            disk.empty()
        }
        #expect(load.goesOn(by: 30), "it did not go on: \(pack.output(of: "nkul-ingest"))")
        try expectAll(load, in: pack, pack.processes["nkul-ingest"]!)
    }

    @Test(.enabled(if: FaultyDisk.isThere, "fiu-utils is not installed"))
    func `writes that find no space are answered 503, and uploads go on when they do`() throws {
        let pack = try ServicePack(), disk = FaultyDisk(control: pack.home.path("fiu"))
        let ingest = pack.program("nkul-ingest", [], disk.environment)
        let load = try start(ingest, in: pack)
        defer { load.stop() }
        #expect(load.goesOn(by: 30))
        try disk.fail("posix/io/rw/pwrite", errno: ENOSPC, in: ingest.identifier)
        #expect(becomesTrue(within: 120) { load.refused.values.reduce(0, +) >= 40 }, "\(load.refused)")
        let acknowledged = load.uploads
        #expect(becomesTrue(within: 120) { load.refused.values.reduce(0, +) >= 80 })
        #expect(load.uploads == acknowledged, "acknowledged although nothing can be written")
        try disk.mend("posix/io/rw/pwrite", in: ingest.identifier)
        #expect(load.goesOn(by: 30), "it did not go on: \(ingest.output.suffix(2000))")
        #expect(load.refused.keys.contains("disk_full"), "\(load.refused)")
        try expectAll(load, in: pack, ingest)
    }

    @Test(
        .enabled(if: FaultyDisk.isThere, "fiu-utils is not installed"),
        arguments: ["posix/io/sync/fdatasync", "posix/io/rw/pwrite"])
    func `after a failed fsync ingest stops, and a restart works`(point: String) throws {
        let pack = try ServicePack(), disk = FaultyDisk(control: pack.home.path("fiu"))
        let ingest = pack.program("nkul-ingest", [], disk.environment)
        let load = try start(ingest, in: pack)
        defer { load.stop() }
        #expect(load.goesOn(by: 30))
        try disk.fail(point, errno: EIO, in: ingest.identifier)
        let code = ingest.exitCode(within: 120)
        #expect(code != nil && code != 0, "it must say that it cannot go on: \(String(describing: code))")
        try pack.start(["nkul-ingest"])
        #expect(load.goesOn(by: 30))
        try expectAll(load, in: pack, pack.processes["nkul-ingest"]!)
    }

    private func start(_ ingest: ServiceProcess, in pack: ServicePack) throws -> DiskLoad {
        try ingest.start()
        try pack.start(Self.others)
        try pack.expectReady(["nkul-ingest"], within: 120)
        let load = DiskLoad(port: pack.ingestPort)
        try load.start()
        return load
    }

    /// Every acknowledged record is among the raw rows, none twice; the database is sound.
    private func expectAll(_ load: DiskLoad, in pack: ServicePack, _ ingest: ServiceProcess) throws {
        load.stop()
        #expect(load.faults.isEmpty, "\(load.faults.prefix(3))")
        let acknowledged = load.acknowledged
        var rows: [String: [[String: Any]]] = [:]
        _ = try becomesTrue(within: 60) {
            rows = try RawRowsPage.read(pack)
            return acknowledged.isSubset(of: rows.keys)
        }
        let lost = acknowledged.subtracting(rows.keys)
        #expect(lost.isEmpty, "\(lost.count) of \(acknowledged.count) acknowledged records are lost: \(lost.prefix(3))")
        #expect(rows.values.allSatisfy { $0.count == 1 }, "records that came more than once")
        ingest.askToStop()
        #expect(ingest.exitCode(within: 60) == 0)
        try expectSound(pack.home.path("home/ingest"))
        print("disk: \(acknowledged.count) records acknowledged, refused \(load.refused)")
    }

    private func expectSound(_ directory: String) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".sqlite") }
        #expect(!files.isEmpty)
        for file in files {
            let database = try DatabaseQueue(path: directory + "/" + file)
            let verdict = try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
            #expect(verdict == "ok", "\(file)")
        }
    }
}
