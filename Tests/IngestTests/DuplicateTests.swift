import Foundation
import IngestCommit
import IngestSupport
import Models
import Storage
import Testing
import Wire

@testable import IngestDuplicates
@testable import IngestUploads

@Suite struct DuplicateTests {
    private static let day: Int64 = 86_400_000

    private func body(_ rows: [String]) -> String { "[" + rows.joined(separator: ",") + "]" }

    private func seqRow(_ seq: Int, at time: Int64, value: Int = 1) -> String {
        #"{"seq":\#(seq),"captured_at_ms":\#(time),"latency_ms":\#(value)}"#
    }

    private func idRow(_ id: UUID, at time: Int64, value: Int = 1) -> String {
        #"{"id":"\#(id)","captured_at_ms":\#(time),"latency_ms":\#(value)}"#
    }

    @Test func `duplicates within one upload are found`() throws {
        let bench = try EngineBench(), id = UUID(), now = Reading.now
        let receipt = try bench.receipt(
            try Reading.upload(
                body([
                    seqRow(1, at: now), seqRow(1, at: now), idRow(id, at: now), idRow(id, at: now),
                    seqRow(1, at: now, value: 2),
                    idRow(id, at: now, value: 2),
                ])))
        #expect(receipt.accepted == 2)
        #expect(receipt.items.map(\.status) == [.duplicate, .duplicate, .conflict, .conflict])
        #expect(receipt.duplicates == 2 && receipt.conflicts == 2)
    }

    @Test func `a known ID with other content is a conflict and the first stands`() throws {
        let bench = try EngineBench(), now = Reading.now, id = UUID()
        _ = try bench.receipt(try Reading.upload(body([seqRow(5, at: now), idRow(id, at: now)])))
        let receipt = try bench.receipt(
            try Reading.upload(body([seqRow(5, at: now, value: 9), idRow(id, at: now, value: 9)])))
        #expect(receipt.items.map(\.status) == [.conflict, .conflict])
        #expect(receipt.items.map(\.code) == ["seq_conflict", "id_conflict"])
        #expect(receipt.items.map(\.field) == ["seq", "id"])
        #expect(receipt.accepted == 0 && receipt.duplicates == 0 && receipt.conflicts == 2)
    }

    enum Door: CaseIterable { case array, lines, sheet }

    /// A phone that was restored from a backup begins to count anew.
    @Test(arguments: Door.allCases, [0..<40, 40..<43, 0..<1])
    func `a counter that starts again is told of at every door, and costs nothing where records have ids`(
        door: Door, again: Range<Int>
    ) throws {
        for hasID in [false, true] {
            let bench = try EngineBench()
            func receipt(_ numbers: Range<Int>, value: Int) throws -> Receipt {
                try bench.receipt(try upload(numbers, value: value, hasID: hasID, door))
            }
            #expect(try receipt(0..<43, value: 1).accepted == 43)
            let receipt = try receipt(again, value: 2)
            #expect(receipt.duplicates == 0 && receipt.rejected == 0 && receipt.items.count == again.count)
            #expect(receipt.accepted == (hasID ? again.count : 0) && receipt.conflicts == (hasID ? 0 : again.count))
            #expect(receipt.items.allSatisfy { $0.code == (hasID ? "seq_reused" : "seq_conflict") })
            #expect(hasID || receipt.items.allSatisfy { $0.detail?.contains("count on from 44") == true })
        }
    }

    /// Records that count from the first of some numbers, each with an id of its own or without one.
    private func upload(_ numbers: Range<Int>, value: Int, hasID: Bool, _ door: Door) throws -> Upload {
        let now = Reading.now
        switch door {
        case .sheet:
            let rows = numbers.map { "\($0 + 1),\(now),\(value)" + (hasID ? ",\(UUID())" : "") }
            let header = "seq,captured_at_ms,latency_ms" + (hasID ? ",id" : "")
            return try Reading.upload(([header] + rows).joined(separator: "\n"), format: .csv)
        case .array, .lines:
            let rows = numbers.map { number in
                let id = hasID ? #""id":"\#(UUID())","# : ""
                return #"{\#(id)"seq":\#(number + 1),"captured_at_ms":\#(now),"latency_ms":\#(value)}"#
            }
            return try Reading.upload(door == .array ? body(rows) : rows.joined(separator: "\n"))
        }
    }

    @Test func `how a value is written does not make a conflict`() throws {
        let bench = try EngineBench(), now = Reading.now
        _ = try bench.receipt(
            try Reading.upload(#"{"seq":1,"captured_at_ms":\#(now),"mnc":1,"latency_ms":1.50,"network_type":"lte"}"#))
        let time = "2025-10-09T08:53:20Z"
        let receipt = try bench.receipt(
            try Reading.upload(
                #"{"network_type":"LTE","latency_ms":15e-1,"mnc":"01","captured_at":"\#(time)","seq":1,"new":1}"#))
        #expect(receipt.items.map(\.status) == [.duplicate])
    }

    @Test func `consent and clock correction do not make a conflict`() throws {
        let bench = try EngineBench(), now = Reading.now
        let text = #"{"seq":1,"captured_at_ms":\#(now),"latitude":3.8,"longitude":11.5,"event":"call_drop"}"#
        _ = try bench.receipt(try Reading.upload(text))
        let again = try bench.receipt(
            try Reading.upload(Array(text.utf8), consent: [.measurement], key: "other", sentAt: now - 9_000))
        #expect(again.items.map(\.status) == [.duplicate])
    }

    @Test func `a reused seq falls back to the ID and is flagged`() throws {
        let bench = try EngineBench(), now = Reading.now, one = UUID(), two = UUID()
        func row(_ id: UUID) -> String { #"{"id":"\#(id)","seq":1,"captured_at_ms":\#(now)}"# }
        _ = try bench.receipt(try Reading.upload(row(one)))
        let outcome = try bench.engine.commit([try Reading.upload(row(two))], now: now)
        let receipt = try outcome.receipts[0].get()
        #expect(receipt.accepted == 1)
        #expect(receipt.items.map(\.code) == ["seq_reused"])
        #expect(try EngineBench.rows(outcome, .batch)[0][ColumnID.flags]?.integers == [RowFlags.seqReused.rawValue])
        #expect(try bench.receipt(try Reading.upload(body([row(two), row(one)]))).duplicates == 2)
    }

    @Test func `random resends count once in any order`() throws {
        var random = SplitMix64(seed: 7)
        for seed in 0..<30 {
            let bench = try EngineBench()
            let records = (1...200).map { number -> String in
                let time = Reading.now - Int64.random(in: 0...5 * Self.day, using: &random)
                switch number % 3 {
                case 0: return idRow(UUID.random(&random), at: time, value: number)
                case 1: return seqRow(number, at: time, value: number)
                default:
                    return
                        #"{"id":"\#(UUID.random(&random))","seq":\#(number * 40),"captured_at_ms":\#(time),"event":"no_service"}"#
                }
            }
            var accepted = 0, clock = Reading.now, seen: Set<String> = []
            for _ in 0..<40 {
                clock += Int64.random(in: 0...Self.day / 10, using: &random)
                let sent = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                    records.randomElement(using: &random)!
                }
                let receipt = try bench.receipt(try Reading.upload(body(sent)), now: clock)
                if !receipt.isRepeated { accepted += receipt.accepted }
                seen.formUnion(sent)
                #expect(receipt.rejected == 0 || clock > Reading.now + 2 * Self.day)
                #expect(receipt.items.allSatisfy { $0.status == .duplicate || $0.status == .rejected })
            }
            let all = try bench.receipt(try Reading.upload(body(records)), now: clock)
            #expect(accepted + all.accepted <= records.count, "seed \(seed)")
            if clock < Reading.now + 2 * Self.day {
                #expect(accepted == seen.count && accepted + all.accepted == records.count)
            }
        }
    }

    @Test func `a key that comes again when its receipt is forgotten has a new one, word for word`() throws {
        let bench = try EngineBench(), later = Reading.now + DeviceMemory.receiptLifetime + 1_000
        func receipt(_ first: Int, at now: Int64) throws -> Receipt {
            // One of its records is too old, so that its receipt has a text.
            let rows = [seqRow(first, at: now), seqRow(first + 1, at: now - 10 * Self.day)]
            return try bench.receipt(Reading.upload(Array(body(rows).utf8), key: "again", arrivedAt: now), now: now)
        }
        #expect(try receipt(1, at: Reading.now).items.map(\.status) == [.rejected])
        let new = try receipt(11, at: later), again = try receipt(11, at: later)
        #expect(new.accepted == 1 && !new.isRepeated)
        #expect(again.isRepeated && again.body == new.body)
    }

    @Test func `a phone that retries for a week adds nothing`() throws {
        let bench = try EngineBench(), start = Reading.now
        let old =
            (1...20).map { seqRow($0, at: start) }
            + (0..<20).map { idRow(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, $0)), at: start) }
        #expect(try bench.receipt(try Reading.upload(body(old))).accepted == 40)
        for hour in 1...(8 * 24) {
            let now = start + Int64(hour) * 3_600_000
            _ = try bench.receipt(try Reading.upload(body([seqRow(1_000 + hour * 64, at: now)])), now: now)
            let receipt = try bench.receipt(try Reading.upload(body(old.shuffled())), now: now)
            #expect(receipt.duplicates == 40 && receipt.accepted == 0)
        }
    }

    @Test func `the memory of a device is pruned beyond the horizon`() throws {
        let bench = try EngineBench(), start = Reading.now
        func size() throws -> Int {
            try bench.database.read { try MemoryStore($0).memory(of: 7).merged.encoded().count }
        }
        func sendDay(_ day: Int) throws {
            let now = start + Int64(day) * Self.day
            let rows =
                (0..<500).map { seqRow(1 + day * 500 + $0, at: now) } + (0..<500).map { _ in idRow(UUID(), at: now) }
            #expect(try bench.receipt(try Reading.upload(body(rows)), now: now).accepted == 1_000)
        }
        for day in 0..<12 { try sendDay(day) }
        let steady = try size()
        for day in 12..<40 { try sendDay(day) }
        #expect(abs(try size() - steady) < 1_000)
        #expect(steady < 12 * 500 * 15)
    }

    @Test func `a memory is read back as it was written`() throws {
        var random = SplitMix64(seed: 3)
        var memory = DeviceMemory()
        for round in 0..<2_000 {
            let identity = RowIdentity(
                seq: Int64.random(in: 1...5_000, using: &random), id: random.next(), content: random.next())
            if round % 3 == 0 {
                memory.ids.insert(identity, capturedDay: UInt32.random(in: 1...9, using: &random))
            } else {
                _ = memory.windows.claim(identity, day: UInt32.random(in: 1...9, using: &random))
            }
            if round % 100 == 0 {
                memory.add(
                    ReceiptNote(
                        batch: BatchID(high: random.next(), low: 4), fingerprint: 1, at: 2, accepted: 3, duplicates: 4,
                        rejected: 5,
                        hasItems: round % 200 == 0))
            }
        }
        #expect(memory.receipts.count == DeviceMemory.receiptCount)
        let bytes = memory.encoded()
        #expect(try bytes.withUnsafeBytes { try DeviceMemory($0) } == memory)
        for cut in stride(from: 1, to: bytes.count, by: 97) {
            #expect(throws: DeviceMemory.Damage.self) {
                try bytes[..<cut].withUnsafeBytes { try DeviceMemory(UnsafeRawBufferPointer(rebasing: $0[...])) }
            }
        }
    }

    @Test func `windows agree with a set of counters`() {
        var random = SplitMix64(seed: 9)
        var windows = SeqWindows(), reference: [Int64: RowIdentity] = [:]
        for _ in 0..<20_000 {
            let seq = Int64.random(in: 1...3_000, using: &random)
            let identity = RowIdentity(
                seq: seq, id: UInt64(seq) << 50, content: UInt64.random(in: 0...1, using: &random) << 60)
            let expected: SeqWindows.Finding =
                reference[seq].map { $0.content == identity.content ? .duplicate : .conflict } ?? .unknown
            #expect(windows.finding(identity) == expected)
            #expect(windows.claim(identity, day: 1) == expected)
            if reference[seq] == nil { reference[seq] = identity }
        }
        #expect(windows.marks.count == reference.count)
    }
}

extension UUID {
    static func random(_ random: inout SplitMix64) -> UUID {
        withUnsafeBytes(of: (random.next(), random.next())) {
            NSUUID(uuidBytes: $0.bindMemory(to: UInt8.self).baseAddress!) as UUID
        }
    }
}
