import Foundation
import GRDB
import Lanes
import Models
import ServiceKit
import Storage
import Synchronization
import Testing

@testable import Administration

struct BackupTests {
    private let bench = try! BackupBench()

    /// The heart of it: no backup ever has a reader ahead of its lane, however fast both go on.
    @Test(.timeLimit(.minutes(2)))
    func `while a lane is written and read at full speed no backup has a reader ahead of it`() throws {
        try bench.append()
        try bench.read(through: 1)
        let isOver = Atomic(false), head = Atomic<UInt64>(1), ended = DispatchSemaphore(value: 0)
        let bench = UncheckedBench(bench)
        Thread {
            while !isOver.load(ordering: .relaxed) {
                try? bench.value.append()
                head.store(bench.value.journal.head, ordering: .releasing)
            }
            ended.signal()
        }.start()
        Thread {
            while !isOver.load(ordering: .relaxed) {
                // A reader never has more than what was committed before.
                try? bench.value.read(through: head.load(ordering: .acquiring))
            }
            ended.signal()
        }.start()
        defer {
            isOver.store(true, ordering: .relaxed)
            for _ in 0..<2 { ended.wait() }
        }
        var last: UInt64 = 0
        for number in 0..<12 {
            let file = try bench.value.back(up: "b\(number)")
            let manifest = try BackupCheck.run(file, identity: bench.value.identity, Interrupt())
            let lane = try #require(manifest.lanes.first), cursor = try #require(manifest.cursors.first)
            #expect(cursor.block <= lane.head && lane.head >= last)
            last = lane.head
            // What the manifest says is what the databases in it say.
            if number % 6 == 0 {
                let (_, home) = try bench.value.restore(file, to: "new\(number)")
                let journal = try JournalSummary(lane: .batch, from: ReadOnlyDatabase(path: home.database(of: .ingest)))
                #expect(journal?.head == lane.head)
                let reader = try ReadOnlyDatabase(path: home.database(of: .analyticsExporter))
                #expect(try reader.read { try Cursor.read(.batch, $0) }?.block == cursor.block)
            }
        }
        #expect(last > 12, "nothing was written meanwhile")
    }

    /// A connection of each thread's own; the tests above touch nothing else of it at once.
    private struct UncheckedBench: @unchecked Sendable {
        let value: BackupBench
        init(_ value: BackupBench) { self.value = value }
    }

    @Test func `a home in which a reader is ahead is not backed up, and it is said who`() throws {
        try bench.append(3)
        try bench.read(through: 4)
        let error = try #require(throws: ServiceError.self) { try bench.back(up: "b") }
        #expect(error.message.contains("analytics-exporter reads lane batch up to block 4, and its journal ends at 3"))
        #expect(try bench.names() == ["home"])
    }

    @Test func `exports, which are made anew, are left out`() throws {
        let folder = bench.home.directory(of: .analyticsExporter) + "/exports"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for path in [folder + "/1-1-reports-2026-03-01T00.csv.gz", folder + "/../other"] {
            try Data([1]).write(to: URL(filePath: path))
        }
        let files = HomeFiles(bench.home).others
        #expect(files.contains("analytics-exporter/other") && !files.contains { $0.contains("exports") })
    }

    @Test func `the secret of releases is left out, other keys are not`() throws {
        let keys = try KeyStore(directory: bench.home.keys)
        for name in [Home.releasesSecret, "other.key"] { try keys.store(name, [1]) }
        let files = HomeFiles(bench.home).others
        #expect(files.contains("keys/other.key") && !files.contains("keys/\(Home.releasesSecret)"))
    }

    @Test func `an interrupted backup leaves nothing`() throws {
        try bench.append()
        let interrupt = Interrupt()
        interrupt.raise()
        #expect(throws: Interrupt.Raised.self) { try bench.back(up: "b", interrupt) }
        #expect(try bench.names() == ["home"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.home.run).isEmpty)
    }

    @Test func `a file that is there is not replaced`() throws {
        try bench.append()
        try bench.back(up: "b")
        #expect(throws: ServiceError.self) { try bench.back(up: "b") }
    }

    @Test func `a backup can be read by nobody but its owner and has nothing in clear`() throws {
        try bench.append(5, bytes: 500)
        let path = try bench.back(up: "b")
        let bytes = Array(FileManager.default.contents(atPath: path)!)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let text = String(decoding: bytes, as: UTF8.self)
        for word in ["SQLite format", "state.sqlite", "lane_batch"] { #expect(!text.contains(word)) }
    }

    @Test func `a restored home is backed up only when every service has taken the restore in`() throws {
        try bench.append(2)
        try bench.read(through: 1)
        let (_, home) = try bench.restore(bench.back(up: "b"))
        func backUp(_ name: String) throws {
            let path = "\(bench.folder.path)/\(name)"
            _ = try BackupRun(home: home, file: path, recipient: bench.recipient, now: 0).run(Interrupt())
        }
        try home.prepare()
        let error = try #require(throws: ServiceError.self) { try backUp("c") }
        #expect(error.message.contains("nkul-ingest") && error.message.contains("nkul-analytics-exporter"))
        for service in [ServiceName.ingest, .analyticsExporter] {
            let database = try ServiceDatabase(
                path: home.database(of: service), migrations: service == .ingest ? [noStep] : [])
            try home.settle(database)
            try database.close()
            if service == .ingest { #expect(throws: ServiceError.self) { try backUp("c") } }
        }
        try backUp("c")
    }

    private let noStep = Migration("as ingest's", sql: "")

    @Test func `the doctor says that a home was restored, and who has not taken it in`() throws {
        try bench.append(2)
        try bench.read(through: 1)
        let (_, home) = try bench.restore(bench.back(up: "b"))
        try home.prepare()
        func finding() throws -> DoctorFinding {
            try #require(DoctorCommand.examine(home, now: 0).findings.first { $0.subject == home.restoredFile })
        }
        #expect(try finding().state == .warning)
        #expect(try finding().sentence.contains("not started since: nkul-analytics-exporter, nkul-ingest"))
        let ingest = try ServiceDatabase(path: home.database(of: .ingest), migrations: [noStep])
        try home.settle(ingest)
        #expect(try finding().sentence.contains("not started since: nkul-analytics-exporter."))
        let mismatch = DoctorCommand.examine(home, now: 0).findings.filter { $0.state == .problem }
        #expect(!mismatch.contains { $0.subject.contains("batch") }, "generations differ until all have started")
        let exporter = try ServiceDatabase(path: home.database(of: .analyticsExporter), migrations: [])
        try home.settle(exporter)
        #expect(try finding().state == .sound)
        #expect(
            !DoctorCommand.examine(home, now: 0).findings.contains {
                $0.state == .problem && $0.subject.contains("lane")
            })
    }

    @Test func `keys are made once, kept from others, and read back`() throws {
        let pair = try BackupKey.make(), path = bench.folder.path + "/key"
        try BackupKey.write(identity: pair.identity, to: path)
        #expect(throws: ServiceError.self) { try BackupKey.write(identity: pair.identity, to: path) }
        let identity = try BackupKey.identity(at: path)
        #expect(try BackupKey.recipient(of: identity) == pair.recipient)
        #expect(try BackupKey.recipient(pair.recipient) == RecipientSeal.publicKey(of: identity))
        let file = bench.folder.write("recipient", pair.recipient + "\n")
        #expect(try BackupKey.recipient(file) == RecipientSeal.publicKey(of: identity))
        chmod(path, 0o644)
        #expect(throws: StorageError.self) { try BackupKey.identity(at: path) }
        #expect(throws: ServiceError.self) { try BackupKey.recipient("nkul-backup-recipient-1:00") }
        #expect(throws: ServiceError.self) { try BackupKey.identity(at: bench.folder.path + "/none") }
    }

    @Test func `the table of a backup names lanes, heads and readers`() throws {
        try bench.append(7)
        try bench.read(through: 5)
        let manifest = try BackupCheck.run(bench.back(up: "b"), identity: bench.identity, Interrupt())
        let table = BackupText.table(manifest)
        #expect(table.contains("batch") && table.contains("analytics-exporter 5") && table.contains("5 files"))
        #expect(manifest.nkul == Version.text && manifest.createdAt == BackupBench.now)
    }
}
