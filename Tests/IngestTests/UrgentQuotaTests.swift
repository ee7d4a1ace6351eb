import IngestCommit
import IngestSupport
import IngestUploads
import Models
import Testing
import Wire

/// Ten urgent records a minute and device; the others are like any other.
@Suite struct UrgentQuotaTests {
    private let now = Reading.now

    private func upload(_ seqs: Range<Int>, device: UInt64 = 7, extra: String = #","event":"call_drop""#) throws
        -> Upload
    {
        let rows = seqs.map { #"{"seq":\#($0),"captured_at_ms":\#(now)\#(extra)}"# }
        return try Reading.upload(Array("[\(rows.joined(separator: ","))]".utf8), device: device)
    }

    private func seqs(_ outcome: IngestOutcome, _ lane: LaneName) throws -> [Int64] {
        try EngineBench.rows(outcome, lane).flatMap { $0[ColumnID.seq]?.integers ?? [] }
    }

    @Test func `the eleventh urgent record of a minute travels on batch`() throws {
        let bench = try EngineBench()
        let outcome = try bench.engine.commit([try upload(1..<14)], now: now)
        #expect(try seqs(outcome, .realtime) == Array(1...10) && seqs(outcome, .batch) == [11, 12, 13])
        #expect(outcome.deferred == 3)
        let receipt = try outcome.receipts[0].get()
        #expect(receipt.accepted == 13 && receipt.items.isEmpty, "the receipt does not know")
        let other = try bench.engine.commit([try upload(1..<3, device: 8)], now: now)
        #expect(try seqs(other, .realtime) == [1, 2], "another device has its own")
        let soon = try bench.engine.commit([try upload(14..<16)], now: now + 6_000)
        #expect(try seqs(soon, .realtime) == [14] && seqs(soon, .batch) == [15])
        let later = try bench.engine.commit([try upload(20..<31)], now: now + 120_000)
        #expect(try seqs(later, .realtime) == Array(20...29))
    }

    @Test func `uploads of one commit share the minute`() throws {
        let bench = try EngineBench()
        let outcome = try bench.engine.commit([try upload(1..<8), try upload(8..<15)], now: now)
        #expect(try seqs(outcome, .realtime) == Array(1...10) && outcome.deferred == 4)
    }

    @Test func `duplicates and rejected ones take nothing`() throws {
        let bench = try EngineBench()
        let first = try upload(1..<9)
        _ = try bench.engine.commit([first], now: now)
        let again = try upload(1..<11, extra: #","event":"call_drop" "#)
        let outcome = try bench.engine.commit([again], now: now)
        #expect(try seqs(outcome, .realtime) == [9, 10] && outcome.deferred == 0)
    }

    @Test func `a full batch lane holds back what would go there`() throws {
        let bench = try EngineBench(batchLimit: 1)
        _ = try bench.engine.commit([try upload(100..<101, extra: "")], now: now)
        let outcome = try bench.engine.commit([try upload(1..<13)], now: now)
        #expect(try seqs(outcome, .realtime) == Array(1...10) && seqs(outcome, .batch).isEmpty)
        #expect(throws: DeviceAPIError.full(.batch)) { try outcome.receipts[0].get() }
        let later = try bench.engine.commit([try upload(1..<13)], now: now + 60_000)
        #expect(try seqs(later, .realtime) == [11, 12])
        #expect(try later.receipts[0].get().duplicates == 10)
    }

    @Test func `a transaction that did not happen took nothing`() {
        var quota = UrgentQuota(perMinute: 10)
        quota.take(10, of: 1, now: now)
        #expect(quota.left(to: 1, now: now) == 0)
        quota.rollBack(now: now)
        #expect(quota.left(to: 1, now: now) == 10)
        quota.take(4, of: 1, now: now)
        quota.commit()
        quota.rollBack(now: now)
        #expect(quota.left(to: 1, now: now) == 6)
    }
}
