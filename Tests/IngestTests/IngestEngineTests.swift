import Foundation
import IngestUploads
import Lanes
import Models
import QoE
import Storage
import TemporaryFiles
import Testing
import Wire

@testable import IngestCommit

@Suite struct IngestEngineTests {
    private let now = Reading.now

    private func json(_ seqs: some Sequence<Int>, extra: String = "") -> String {
        "["
            + seqs.map { #"{"seq":\#($0),"captured_at_ms":\#(now - Int64($0)),"latency_ms":\#($0)\#(extra)}"# }.joined(
                separator: ",") + "]"
    }

    @Test func `accepted rows travel on their lane with what the server knows`() throws {
        let bench = try EngineBench()
        let text = """
            [{"seq":1,"captured_at_ms":\(now)},{"seq":2,"captured_at_ms":\(now),"event":"call_drop"},
             {"seq":3,"captured_at_ms":\(now),"event":"slow_data"},{"seq":4,"captured_at_ms":\(now),"event":"emergency"}]
            """
        let outcome = try bench.engine.commit([try Reading.upload(text)], now: now)
        let realtime = try EngineBench.rows(outcome, .realtime), batch = try EngineBench.rows(outcome, .batch)
        #expect(realtime.map { $0[ColumnID.seq]?.integers } == [[2, 4]])
        #expect(batch.map { $0[ColumnID.seq]?.integers } == [[1, 3]])
        #expect(realtime[0][ColumnID.receivedAt]?.integers == [now, now])
        #expect(realtime[0][ColumnID.device]?.integers == [7, 7])
        #expect(outcome.blocks[.batch]?.first?.header.subjects == [7])
        let receipt = try outcome.receipts[0].get()
        #expect(receipt.accepted == 4 && receipt.items.isEmpty)
        #expect(
            String(decoding: receipt.body, as: UTF8.self)
                == #"{"batch_id":"\#(receipt.batchID.text)","accepted":4,"duplicates":0,"conflicts":0,"rejected":0,"items":[]}"#
        )
    }

    @Test func `uploads that come late are committed with the others`() throws {
        let bench = try EngineBench()
        let early = try Reading.upload(json(1...3))
        let late = try Reading.upload(
            #"[{"seq":20,"captured_at_ms":\#(now),"event":"call_drop"},{"seq":21,"captured_at_ms":\#(now)}]"#)
        var asked = 0
        let outcome = try bench.engine.commit(
            [early], now: now,
            late: {
                asked += 1
                return [late, early]
            })
        #expect(asked == 1)
        #expect(try outcome.receipts.map { try $0.get().accepted } == [3, 2, 3])
        #expect(try outcome.receipts.map { try $0.get().isRepeated } == [false, false, true])
        #expect(try EngineBench.rows(outcome, .realtime).map { $0[ColumnID.seq]?.integers } == [[20]])
        #expect(try EngineBench.rows(outcome, .batch).map { $0[ColumnID.seq]?.integers } == [[1, 2, 3], [21]])
        #expect(try bench.receipt(late).isRepeated)
    }

    @Test func `receipts of repetitions are the same word for word`() throws {
        let bench = try EngineBench()
        let plain = try Reading.upload(json(1...3)),
            mixed = try Reading.upload(json(3...5).dropLast() + ",{\"seq\":0}]")
        let first = try bench.receipt(plain), second = try bench.receipt(mixed)
        #expect(!second.items.isEmpty)
        for time in [now + 1, now + 7 * 86_400_000] {
            let again = try bench.receipt(plain, now: time), mixedAgain = try bench.receipt(mixed, now: time)
            #expect(again.body == first.body && again.isRepeated)
            #expect(mixedAgain.body == second.body && mixedAgain.isRepeated)
        }
    }

    @Test func `older repetitions get the same batch with duplicates`() throws {
        let bench = try EngineBench()
        let uploads = try (0..<20).map { try Reading.upload(json($0 * 3 + 1...$0 * 3 + 3)) }
        let receipts = try uploads.map { try bench.receipt($0) }
        let old = try bench.receipt(uploads[0])
        #expect(!old.isRepeated && old.batchID == receipts[0].batchID && old.duplicates == 3 && old.accepted == 0)
        #expect(try bench.receipt(uploads[19]).body == receipts[19].body)
        let late = try bench.receipt(uploads[10], now: now + 8 * 86_400_000 - 60_000)
        #expect(late.body == receipts[10].body)
        let later = try bench.receipt(uploads[11], now: now + 8 * 86_400_000 + 1)
        #expect(later.batchID == receipts[11].batchID && later.duplicates == 3)
    }

    @Test func `an idempotency key names the batch and never swallows another body`() throws {
        let bench = try EngineBench()
        let one = try Reading.upload(Array(json(1...2).utf8), key: "k"),
            two = try Reading.upload(Array(json(3...4).utf8), key: "k")
        let first = try bench.receipt(one), second = try bench.receipt(two)
        #expect(first.batchID == second.batchID)
        #expect(second.accepted == 2)
        #expect(try bench.receipt(two).body == second.body)
        let feedback = try Reading.upload(
            Array(#"{"seq":9,"captured_at_ms":\#(now),"rating":4}"#.utf8), kind: .feedback, key: "k")
        #expect(feedback.batchID != first.batchID)
        #expect(try Reading.upload(Array(json(1...2).utf8), device: 8, key: "k").batchID != first.batchID)
    }

    @Test func `a crash between commit and answer loses nothing and counts nothing twice`() throws {
        let directory = try TemporaryDirectory()
        let upload = try Reading.upload(json(1...50)), path = directory.path + "/state.sqlite"
        let lost: Receipt
        do {
            let bench = try EngineBench(path: path)
            lost = try bench.receipt(upload)
            try bench.engine.close()
        }
        let bench = try EngineBench(path: path)
        let outcome = try bench.engine.commit([upload], now: now + 5_000)
        #expect(try outcome.receipts[0].get().body == lost.body)
        #expect(outcome.blocks.values.flatMap(\.self).isEmpty)
    }

    @Test func `a full batch journal refuses batch data only`() throws {
        let bench = try EngineBench(batchLimit: 1)
        _ = try bench.receipt(try Reading.upload(json(1...2)))
        let urgent = try Reading.upload(json(10...11, extra: #","event":"no_service""#))
        #expect(try bench.receipt(urgent).accepted == 2)
        let ordinary = try bench.engine.commit([try Reading.upload(json(3...4))], now: now)
        guard case .failure(let problem) = ordinary.receipts[0] else { return #expect(Bool(false), "accepted") }
        #expect(problem.status == 503 && problem.code == "journal_full" && problem.retryAfter != nil)
        let mixed = try Reading.upload(
            #"[{"seq":20,"captured_at_ms":\#(now),"event":"call_drop"},{"seq":21,"captured_at_ms":\#(now)}]"#)
        let half = try bench.engine.commit([mixed], now: now)
        #expect(throws: DeviceAPIError.self) { try half.receipts[0].get() }
        #expect(try EngineBench.rows(half, .realtime).map { $0[ColumnID.seq]?.integers } == [[20]])
        let again = try bench.engine.commit([mixed], now: now)
        #expect(again.blocks.values.flatMap(\.self).isEmpty)
        #expect(throws: DeviceAPIError.self) { try again.receipts[0].get() }
        // Everything known already needs no room.
        #expect(try bench.receipt(try Reading.upload(json([2, 1]))).duplicates == 2)
    }

    @Test func `what a full journal held back is taken when there is room`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/state.sqlite"
        let mixed = try Reading.upload(
            #"[{"seq":20,"captured_at_ms":\#(now),"event":"call_drop"},{"seq":21,"captured_at_ms":\#(now)}]"#)
        do {
            let full = try EngineBench(path: path, batchLimit: 1)
            _ = try full.receipt(try Reading.upload(json(1...2)))
            #expect(throws: DeviceAPIError.self) { try full.receipt(mixed) }
            try full.engine.close()
        }
        let roomy = try EngineBench(path: path)
        let receipt = try roomy.receipt(mixed)
        #expect(receipt.accepted == 1 && receipt.duplicates == 1)
    }

    @Test func `a record is in time by the corrected clock`() throws {
        let bench = try EngineBench()
        func code(_ seq: Int, captured: Int64, sentAt: Int64? = nil) throws -> String? {
            let text = #"[{"seq":\#(seq),"captured_at_ms":\#(captured)}]"#
            return try bench.receipt(try Reading.upload(text, sentAt: sentAt)).items.first?.code
        }
        let day: Int64 = 86_400_000
        #expect(try code(1, captured: now - 8 * day) == nil)
        #expect(try code(2, captured: now - 8 * day - 1) == "too_old")
        #expect(try code(3, captured: now + 300_000) == nil)
        #expect(try code(4, captured: now + 300_001) == "in_future")
        #expect(try code(5, captured: 1_000, sentAt: 2_000) == nil)
        #expect(try code(6, captured: now, sentAt: now - 400_000) == "in_future")
    }

    @Test func `the duplicate check comes before the time check`() throws {
        let bench = try EngineBench()
        #expect(try bench.receipt(try Reading.upload(json(1...2))).accepted == 2)
        let later = now + 8 * 86_400_000 + 3_600_000
        let receipt = try bench.receipt(try Reading.upload(json([2, 1, 3])), now: later)
        #expect(receipt.duplicates == 2 && receipt.rejected == 1)
        #expect(receipt.items.map(\.status) == [.duplicate, .duplicate, .rejected])
    }

    @Test func `receipts list everything if asked`() throws {
        let bench = try EngineBench()
        let upload = try Reading.upload(Array(json(1...3).utf8), listsAll: true)
        let receipt = try bench.receipt(upload)
        #expect(receipt.items.map(\.status) == [.accepted, .accepted, .accepted])
        #expect(receipt.items[0].id == RecordIdentifier(device: 7, seq: 1))
        #expect(try bench.receipt(upload).body == receipt.body)
    }

    @Test func `rejected items name their ID index and field`() throws {
        let bench = try EngineBench()
        let text = #"[{"seq":1,"captured_at_ms":\#(now)},{"seq":2,"captured_at_ms":\#(now),"cqi":99},"x"]"#
        let receipt = try bench.receipt(try Reading.upload(text))
        let document = try #require(JSONSerialization.jsonObject(with: Data(receipt.body)) as? [String: Any])
        let items = try #require(document["items"] as? [[String: Any]])
        #expect(receipt.accepted == 1 && receipt.rejected == 2)
        #expect(items[0]["index"] as? Int == 1)
        #expect(items[0]["id"] as? String == RecordIdentifier(device: 7, seq: 2).text)
        #expect(items[0]["code"] as? String == "out_of_range" && items[0]["field"] as? String == "cqi")
        #expect(items[1]["code"] as? String == "not_an_object" && items[1]["id"] is NSNull)
    }

    @Test func `many uploads of one commit are decided in their order`() throws {
        let bench = try EngineBench()
        let uploads = try [json(1...10), json(5...15), json(1...15)].map { try Reading.upload($0) }
        let outcome = try bench.engine.commit(uploads, now: now)
        #expect(try outcome.receipts.map { try $0.get().accepted } == [10, 5, 0])
        #expect(try EngineBench.rows(outcome, .batch).flatMap { $0[ColumnID.seq]!.integers } == Array(1...15))
    }
}
