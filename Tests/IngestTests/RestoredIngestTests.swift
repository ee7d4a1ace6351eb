import Foundation
import GRDB
import IngestUploads
import Lanes
import Logging
import Models
import ServiceKit
import Storage
import SubjectRights
import TemporaryFiles
import Testing

@testable import IngestCommands
@testable import IngestCommit
@testable import IngestSupport

/// An ingest whose home came out of a backup.
@Suite struct RestoredIngestTests {
    private let now = Reading.now
    private let directory = try! TemporaryDirectory()
    private let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private var home: Home { Home(path: directory.path) }

    private func bench() throws -> EngineBench {
        try home.prepare(for: .ingest, timeZone: "Africa/Douala")
        return try EngineBench(path: home.database(of: .ingest), requestsLimit: 1 << 20)
    }

    private func enrol(_ bench: EngineBench, _ number: UInt8) throws -> DeviceIdentity {
        let enrolment = Enrolment(
            deviceID: [UInt8](repeating: number, count: 16), tokenHash: [UInt8](repeating: number, count: 32),
            platform: "android", appVersion: "1", consent: .all, policyVersion: "1")
        return try bench.engine.commit([], commands: [enrolment], now: now).answers(to: Enrolment.self)[0].get()
    }

    /// An order of the lost life about the device that was enrolled with a number.
    private func order(
        _ request: String, _ number: UInt8, _ scope: ErasureScope = .everything, at time: UnixMilliseconds
    ) -> ErasureOrderDocument {
        let key = SuppressionKey(secret: [UInt8](1...32))
        let subject = ErasureSubjectDocument(
            request: request, subject: Hexadecimal.text(key.mark(ofDevice: [UInt8](repeating: number, count: 16))),
            scope: scope, barriers: [Position(lane: .batch, generation: 1, block: 99)])
        return ErasureOrderDocument(
            ErasureRequestDocument(subject: subject, requestedAt: time, dueAt: time + 1_000, source: .device))
    }

    private func write(_ orders: [ErasureOrderDocument]) throws {
        try SmallFile.replace(
            home.ordersSinceFile, with: SortedJSON.text(of: ErasureOrderList(orders, exportedAt: now)))
    }

    private func apply(_ bench: EngineBench) throws {
        let suppression = SuppressionKey(secret: [UInt8](1...32))
        try OrdersSince(home, deadline: 5_000, suppression).apply(to: bench.engine, now: now, logger)
    }

    private func requests(_ bench: EngineBench) throws -> [ErasureRequestDocument] {
        try bench.database.read {
            try String.fetchAll($0, sql: "SELECT document FROM erasure_requests ORDER BY request")
        }
        .map { try JSONDecoder().decode(ErasureRequestDocument.self, from: Data($0.utf8)) }
    }

    private var part: ErasureScope { ErasureScope(from: nil, to: now - 600_000, cells: nil, requestedAt: now) }

    @Test func `devices that enrolled after the backup share their number with nobody`() throws {
        let bench = try bench()
        let before = try enrol(bench, 1)
        try bench.database.write { try RestoredDevices.leap($0) }
        #expect(try enrol(bench, 2).ordinal == before.ordinal + 1 + UInt64(RestoredDevices.leap))
    }

    @Test func `numbers leap even if nobody was enrolled at the backup`() throws {
        let bench = try bench()
        try bench.database.write { try RestoredDevices.leap($0) }
        #expect(try enrol(bench, 1).ordinal > UInt64(RestoredDevices.leap))
    }

    /// The aggregator counts devices by numbers of 32 bits.
    @Test func `numbers of devices have room for restores of backups that are a year old`() {
        let year: Int64 = 366 * 86_400_000
        let restoration = Restoration(id: "r", backedUpAt: 0, restoredAt: year, lanes: [], readers: [])
        #expect(5 * RestoredDevices.leap(after: restoration) < Int64(UInt32.max))
        #expect(RestoredDevices.leap(after: restoration) > 2 * RestoredDevices.leap)
    }

    @Test func `orders since the backup become requests with barriers of the present life`() throws {
        let bench = try bench()
        let first = try enrol(bench, 1), second = try enrol(bench, 2)
        _ = try enrol(bench, 3)
        let enrolled = bench.engine.requests.head
        try write([order("a", 1, at: now - 50), order("b", 2, part, at: now - 40), order("c", 9, at: now - 30)])
        try apply(bench)
        let requests = try requests(bench)
        #expect(requests.map(\.subject.request) == ["a", "b"])
        #expect(requests.allSatisfy { $0.source == .restore && $0.dueAt == now + 5_000 })
        #expect(requests.map(\.subject.scope) == [.everything, part])
        #expect(requests.allSatisfy { $0.subject.barriers.allSatisfy { $0.generation == 5 } })
        #expect(try bench.database.read { try IngestStore($0).isActive(Int64(first.ordinal)) } == false)
        #expect(try bench.database.read { try IngestStore($0).isActive(Int64(second.ordinal)) })
        #expect(!FileManager.default.fileExists(atPath: home.ordersSinceFile))
        #expect(bench.engine.requests.head == enrolled + 1, "the privacy worker reads of them")
    }

    @Test func `after a crash before the file was removed nothing is asked for twice`() throws {
        let bench = try bench()
        _ = try enrol(bench, 1)
        let orders = [order("a", 1, part, at: now - 50)]
        try write(orders)
        try apply(bench)
        let head = bench.engine.requests.head
        try write(orders)
        try apply(bench)
        #expect(try requests(bench).count == 1)
        #expect(bench.engine.requests.head == head)
    }

    @Test func `neither the daily number of parts nor a full lane is in their way`() throws {
        try home.prepare(for: .ingest, timeZone: "Africa/Douala")
        let bench = try EngineBench(path: home.database(of: .ingest), requestsLimit: 1)
        _ = try enrol(bench, 1)
        let count = ErasureChange.mostParts + 4
        try write((0..<count).map { order("p\($0)", 1, part, at: now - 100 + Int64($0)) } + [order("z", 1, at: now)])
        try apply(bench)
        #expect(try requests(bench).count == count + 1)
    }

    @Test func `a file that is no list of orders stops ingest`() throws {
        let bench = try bench()
        try SmallFile.replace(home.ordersSinceFile, with: "{}")
        #expect(throws: ServiceError.self) { try apply(bench) }
    }
}
