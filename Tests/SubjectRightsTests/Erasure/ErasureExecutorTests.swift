import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import TemporaryFiles
import Testing
import Wire

@Suite struct ErasureExecutorTests {
    private let service = try! SampleService()

    private func subject(_ device: UInt64, batch: UInt64 = 0, request: String = "r1") -> ErasureSubject {
        ErasureSubject(
            device: device,
            document: ErasureSubjectDocument(
                request: request, subject: "ab", scope: .everything,
                barriers: [Position(lane: .batch, generation: 7, block: batch)]))
    }

    @Test func `rows go and a receipt is signed`() throws {
        try service.read(1, devices: [1, 2, 1])
        try service.order(subject(1, batch: 1))
        try service.settle()
        #expect(try service.devices() == [2])
        let receipt = try #require(try service.receipts().first)
        #expect(receipt.removed == 4 && receipt.service == "sample" && receipt.request == "r1")
        let key = try #require(try service.keys().first)
        #expect(key.verifies(receipt))
        var forged = receipt
        forged.removed = 3
        #expect(!key.verifies(forged))
        #expect(try service.journalDevices() == [2])
    }

    /// Each slice takes 10 ms of the stopwatch: while 5 000 rows a second come the next is due 100 ms after its end.
    @Test func `an erasure rests while rows come`() throws {
        try service.read(1, devices: [1, 1, 1, 1] + [Int64](repeating: 2, count: 5_000), now: 10_000)
        try service.order(subject(1, batch: 1))
        try service.step(now: 10_000)
        #expect(try service.devices().count { $0 == 1 } == 3)
        for now in [10_000, 10_109] as [UnixMilliseconds] { try service.step(now: now) }
        #expect(service.nextTick == 10_110)
        #expect(try service.devices().count { $0 == 1 } == 3)
        try service.step(now: 10_110)
        #expect(try service.devices().count { $0 == 1 } == 2)
        for left in [1, 0] {
            try service.step(now: 12_500)
            #expect(try service.devices().count { $0 == 1 } == left)
        }
        try service.settle(now: 12_500)
        #expect(try service.receipts().count == 1)
    }

    @Test func `nothing is signed before the cursor is past the barrier`() throws {
        try service.read(1, devices: [1, 2])
        try service.order(subject(1, batch: 2))
        try service.settle()
        #expect(try service.receipts().isEmpty)
        try service.read(2, devices: [1, 3])
        try service.settle()
        #expect(try service.receipts().count == 1)
        #expect(try service.devices() == [2, 3])
    }

    /// The cursor moves at the end of the step in which the tick has looked at it.
    @Test func `a barrier that is reached in the step of a tick is seen`() throws {
        try service.order(subject(1, batch: 1))
        try service.read(1, devices: [1, 2])
        try service.settle()
        #expect(try service.receipts().count == 1)
    }

    @Test func `another generation is not past the barrier`() throws {
        try service.read(9, devices: [1], generation: 8)
        try service.order(subject(1, batch: 2))
        try service.settle()
        #expect(try service.receipts().isEmpty)
    }

    /// The order names the generation of the life that was lost; the rows have come, and nothing comes behind the barrier.
    @Test func `an erasure goes on after a restore`() throws {
        try service.read(1, devices: [1, 2])
        try service.order(subject(1, batch: 2))
        try service.settle()
        try service.restore(batchFrom: 7, head: 4, to: 8)
        try service.settle()
        #expect(try service.receipts().isEmpty)
        try service.read(2, devices: [1, 3], generation: 8)
        try service.settle()
        #expect(try service.receipts().count == 1)
        #expect(try service.devices() == [2, 3])
    }

    @Test func `a barrier that the backup did not have is never passed`() throws {
        try service.read(1, devices: [1, 2])
        try service.order(subject(1, batch: 9))
        try service.restore(batchFrom: 7, head: 4, to: 8)
        try service.read(10, devices: [3], generation: 8)
        try service.settle()
        #expect(try service.receipts().isEmpty)
    }

    @Test func `rows that come after the order are never seen`() throws {
        try service.order(subject(1, batch: 3))
        try service.read(1, devices: [1, 5, 1])
        #expect(try service.devices() == [5])
        try service.read(2, devices: [1])
        #expect(try service.devices() == [5])
        try service.restart()
        try service.read(3, devices: [1, 6])
        #expect(try service.devices() == [5, 6])
    }

    @Test func `who waits for another signs after it`() throws {
        let service = try SampleService(waitsFor: ["alert-router"])
        try service.order(subject(1))
        try service.settle()
        #expect(try service.receipts().isEmpty)
        try service.hearReceipt(of: "reward-dispatcher")
        try service.settle()
        #expect(try service.receipts().isEmpty)
        try service.hearReceipt(of: "alert-router")
        try service.settle()
        #expect(try service.receipts().count == 1)
    }

    @Test func `orders that wait together are one pass`() throws {
        try service.read(1, devices: [1, 2, 3, 4])
        try service.order(subject(1, request: "r1"))
        let passes = service.records.passes
        try service.order(subject(2, request: "r2"), subject(3, request: "r3"))
        try service.settle()
        #expect(try service.devices() == [4])
        #expect(try Set(service.receipts().map(\.request)) == ["r1", "r2", "r3"])
        #expect(service.records.passes <= passes + 2)
    }

    /// Crashes after every commit, in every order of what was committed.
    @Test func `a crash at any commit ends the same`() throws {
        for crash in 1...12 {
            let service = try SampleService()
            try service.read(1, devices: [1, 2, 1, 3])
            try service.order(subject(1, batch: 1))
            for _ in 0..<crash { try service.step() }
            try service.restart()
            try service.settle()
            #expect(try service.devices() == [2, 3])
            #expect(try service.journalDevices() == [2, 3])
            #expect(try service.receipts().count == 1, "crash after commit \(crash)")
            #expect(try service.ordinals().isEmpty)
        }
    }

    @Test func `signing waits for the logs`() throws {
        service.records.logsAreBusy = true
        try service.read(1, devices: [1])
        try service.order(subject(1, batch: 1))
        try service.settle()
        #expect(try service.devices().isEmpty && service.receipts().isEmpty)
        service.records.logsAreBusy = false
        try service.restart()
        try service.settle()
        #expect(try service.receipts().count == 1)
    }

    @Test func `logs are looked at again though nothing else happens`() throws {
        service.records.logsAreBusy = true
        try service.read(1, devices: [1])
        try service.order(subject(1, batch: 1))
        try service.settle()
        service.records.logsAreBusy = false
        try service.settle()
        #expect(try service.receipts().isEmpty)
        try service.settle(now: 2_000)
        #expect(try service.receipts().count == 1)
    }

    @Test func `between two looks at logs is twice the time up to a second`() throws {
        service.records.logsAreBusy = true
        for number in 1...2 as ClosedRange<UInt64> {
            var now = UnixMilliseconds(number) * 10_000
            try service.read(number, devices: [1])
            try service.order(subject(number, batch: number, request: "r\(number)"))
            try service.settle(now: now)
            for pause in [20, 40, 80, 160, 320, 640, 1_000, 1_000] as [UnixMilliseconds] {
                now += pause
                #expect(service.nextTick == now)
                try service.step(now: now)
            }
            service.records.logsAreBusy = false
            try service.settle(now: now + 1_000)
            service.records.logsAreBusy = true
        }
        #expect(try service.receipts().count == 2)
    }

    /// One that is short, or that nobody waits for behind, is emptied at once.
    @Test func `a long log is left to the next checkpoint while rows come`() throws {
        let directory = try TemporaryDirectory()
        let service = try SampleService(path: directory.path("a.sqlite"))
        /// An hour of its own: an erasure, a log of so many megabytes, rows for so many seconds; then receipts so far.
        func erase(_ hour: UInt64, megabytes: Int, seconds: UInt64) throws -> Int {
            let began = UnixMilliseconds(hour) * 3_600_000
            try service.lengthenLog(megabytes << 20)
            try service.order(subject(1, batch: hour * 100, request: "r\(hour)"))
            for second in 0..<seconds {
                try service.read(
                    hour * 100 + second, devices: [Int64](repeating: 2, count: 10_000),
                    now: began + UnixMilliseconds(second) * 1_000)
            }
            return try service.receipts().count
        }
        #expect(try erase(1, megabytes: 1, seconds: 6) == 1)
        #expect(try erase(2, megabytes: 8, seconds: 10) == 1)
        while service.database.unwrittenLogBytes > 0 { try service.lengthenLog(1 << 20) }
        try service.read(299, devices: [2], now: 2 * 3_600_000 + 9_500)
        try service.step(now: 2 * 3_600_000 + 9_501)
        #expect(try service.receipts().count == 2)
        #expect(try erase(3, megabytes: 8, seconds: 36) == 3)
        #expect(try erase(4, megabytes: 8, seconds: 6) == 3)
        try service.settle(now: 4 * 3_600_000 + 8_000)
        #expect(try service.receipts().count == 4)
    }

    @Test func `a part takes rows of its time only`() throws {
        let scope = ErasureScope(from: 600_000, to: 900_001, cells: nil, requestedAt: 10_000_000)
        #expect(scope.to == 1_200_000)
        let document = ErasureSubjectDocument(request: "p", subject: "ab", scope: scope, barriers: [])
        let filter = ErasureFilter([ErasureSubject(device: 4, document: document)])
        let columns = Columns(
            rowCount: 4,
            columns: [
                Column(id: ColumnID.device, values: [4, 4, 4, 5]),
                Column(id: ColumnID.capturedAt, values: [599_999, 600_000, 1_200_000, 700_000]),
            ])
        #expect(try filter.sift(columns, kind: 1).kept == [0, 2, 3])
    }

    @Test func `an area takes rows whose cell meets it`() throws {
        let cell = try #require(Quadkey(latitude: 38_000_000, longitude: 115_000_000))
        let scope = ErasureScope(from: nil, to: nil, cells: [cell.parent(at: 15)], requestedAt: 1_000_000)
        let filter = ErasureFilter([
            ErasureSubject(
                device: 4, document: ErasureSubjectDocument(request: "p", subject: "ab", scope: scope, barriers: []))
        ])
        #expect(filter.takes(device: 4, capturedAt: 5, cell: cell))
        #expect(filter.takes(device: 4, capturedAt: 5, cell: cell.parent(at: 10)))
        #expect(!filter.takes(device: 4, capturedAt: 5, cell: nil))
        #expect(!filter.takes(device: 4, capturedAt: 1_200_000, cell: cell))
        #expect(!filter.takes(device: 4, capturedAt: 5, cell: Quadkey(level: 16, code: cell.code ^ (1 << 20))))
    }

    @Test func `what carries a request goes with it and not before`() throws {
        let filter = ErasureFilter([subject(4, request: "r1")])
        let carriers = try ErasureSubject.columns([subject(4, request: "r1"), subject(4, request: "r2")])
        let kind = RecordKind.erasureSubject.id
        #expect(try filter.sift(carriers, kind: kind).kept == [0, 1])
        #expect(try filter.sift(carriers, kind: kind, isOwn: true).kept == [1])
        let others = Columns(rowCount: 1, columns: [Column(id: ColumnID.device, values: [4])])
        #expect(try filter.sift(others, kind: RecordKind.consent.id).kept == [])
    }
}
