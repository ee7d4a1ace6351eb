import IngestCommands
import IngestUploads
import Synchronization
import Testing
import Wire

@testable import IngestCommit

@Suite struct CommitQueueTests {
    /// However slow the machine is, an urgent job was just now.
    private let queue = CommitQueue(rowLimit: 100_000, byteLimit: 100_000_000, urgentTimes: .seconds(3_600))
    private static let row = #"{"seq":1,"captured_at_ms":1760000000000,"mcc":624,"mnc":1}"#

    private static func upload(rows: Int) throws -> Upload {
        try Reading.upload("[\(Array(repeating: row, count: rows).joined(separator: ","))]")
    }

    private static func urgent() throws -> Upload {
        try Reading.upload(row.replacing("}", with: #","event":"emergency"}"#))
    }

    private func offer(_ upload: Upload, times: Int = 1) {
        for _ in 0..<times { queue.offer(.upload(upload) { _ in }) }
    }

    private func take() -> [Int] { queue.take(linger: 0, idle: 0)?.map(\.rowCount) ?? [-1] }

    @Test func `urgent jobs are taken before ordinary ones that came first`() throws {
        let ordinary = try Self.upload(rows: 2)
        let urgent = try Self.urgent()
        offer(ordinary)
        offer(urgent)
        #expect(take() == [1])
        #expect(take() == [2])
        #expect(queue.depth == 0 && queue.byteDepth == 0)
    }

    @Test func `a flood of urgent jobs does not keep ordinary ones waiting`() throws {
        let ordinary = try Self.upload(rows: 2)
        let urgent = try Self.urgent()
        offer(ordinary, times: 2)
        offer(urgent)
        #expect(take() == [1])
        offer(urgent)
        #expect(take() == [1, 2, 2])
        offer(urgent)
        #expect(take() == [1])
    }

    @Test func `a commit takes a bounded number of ordinary rows and whole uploads`() throws {
        let large = try Self.upload(rows: 700)
        offer(large, times: 7)
        #expect(take() == [700, 700, 700])
        #expect(queue.depth == 4 * 700 && queue.byteDepth == 4 * large.byteCount)
        #expect(take() == [700, 700, 700])
        #expect(take() == [700])
        #expect(take() == [])
        #expect(queue.depth == 0 && queue.byteDepth == 0)
    }

    @Test func `a commit takes fewer ordinary rows while urgent jobs come`() throws {
        let ordinary = try Self.upload(rows: 400)
        let urgent = try Self.urgent()
        offer(ordinary, times: 6)
        offer(urgent)
        #expect(take() == [1])
        #expect(take() == [400, 400, 400])
        offer(urgent)
        #expect(take() == [1])
        #expect(take() == [400, 400, 400])
        #expect(queue.depth == 0)
    }

    @Test func `a second after the last urgent job commits are large again`() throws {
        let ordinary = try Self.upload(rows: 400)
        let urgent = try Self.urgent()
        let queue = CommitQueue(rowLimit: 100_000, byteLimit: 100_000_000, urgentTimes: .zero)
        for upload in [ordinary, ordinary, ordinary, ordinary, urgent] { queue.offer(.upload(upload) { _ in }) }
        #expect(queue.take(linger: 0, idle: 0)?.map(\.rowCount) == [1])
        #expect(queue.take(linger: 0, idle: 0)?.map(\.rowCount) == [400, 400, 400, 400])
    }

    @Test func `urgent uploads join a commit that has begun up to the first other job`() async throws {
        let ordinary = try Self.upload(rows: 2), urgent = try Self.urgent()
        #expect(queue.takeLate().isEmpty)
        let answer = await withUnsafeContinuation { waiting in
            offer(ordinary)
            offer(urgent, times: 3)
            let change = ConsentChange(device: urgent.device, consent: [.measurement], policyVersion: "2025-2")
            queue.offer(.command(change, waiting))
            offer(urgent)
            #expect(queue.takeLate().map(\.upload.rows.rowCount) == [1, 1, 1])
            #expect(queue.takeLate().isEmpty)
            #expect(queue.depth == 4)
            for job in queue.take(linger: 0, idle: 0) ?? [] { job.fail(.busy) }
        }
        #expect(throws: DeviceAPIError.self) { try answer.get() }
        #expect(take() == [2])
    }

    @Test func `urgent jobs are told of when they wait`() throws {
        let told = Mutex(0)
        let queue = CommitQueue(rowLimit: 2, byteLimit: 1_000_000, urgentCame: { told.withLock { $0 += 1 } })
        let ordinary = try Self.upload(rows: 1), urgent = try Self.urgent()
        for upload in [ordinary, urgent, urgent] { queue.offer(.upload(upload) { _ in }) }
        #expect(told.withLock { $0 } == 2)
    }

    @Test func `uploads without an acceptable row take room too`() throws {
        let rejected = try Reading.upload(Self.row.replacing(#""seq":"#, with: #""seq":-"#))
        #expect(rejected.rows.rowCount == 0 && rejected.byteCount > 0)
        let queue = CommitQueue(rowLimit: 100, byteLimit: 3 * rejected.byteCount)
        for _ in 0..<5 { queue.offer(.upload(rejected) { _ in }) }
        #expect(queue.take(linger: 0, idle: 0)?.count == 3)
    }

    @Test func `the time waited is that of the oldest job taken`() throws {
        let large = try Self.upload(rows: 1_500)
        let before = ContinuousClock.now
        offer(large, times: 3)
        let offered = ContinuousClock.now
        _ = take()
        _ = take()
        #expect(queue.takenSince >= before && queue.takenSince <= offered)
    }

    @Test func `a closed queue gives everything that waits and then ends`() throws {
        let large = try Self.upload(rows: 1_500)
        offer(large, times: 3)
        queue.close()
        #expect(take() == [1_500, 1_500])
        #expect(take() == [1_500])
        #expect(take() == [-1])
    }
}
