import Foundation
import IngestDuplicates
import IngestSupport
import IngestUploads
import Models
import Storage
import Testing

/// What it costs to remember a device so that nothing counts twice. `docs/duplicates.md` has the figures.
@Suite struct DuplicateCostTests {
    private static let day: Int64 = 86_400_000

    /// How a phone names its records.
    enum Naming: String, CaseIterable { case seq, id, both }

    /// Bytes of the memory of a device.
    private func bytes(_ bench: EngineBench) throws -> Int {
        try bench.database.read { try MemoryStore($0).memory(of: 7).merged.encoded().count }
    }

    private func row(_ number: Int, _ naming: Naming, at time: Int64) -> String {
        let seq = naming == .id ? "" : #""seq":\#(number),"#, id = naming == .seq ? "" : #""id":"\#(UUID())","#
        return #"{\#(seq)\#(id)"captured_at_ms":\#(time)}"#
    }

    /// Sends a phone's records of some days; what is remembered of it then.
    private func remembered(_ naming: Naming, days: Int, rowsADay: Int, rowsAnUpload: Int) throws -> Int {
        let bench = try EngineBench()
        var number = 0
        for day in 0..<days {
            for _ in 0..<rowsADay / rowsAnUpload {
                let now = Reading.now + Int64(day) * Self.day
                let rows = (0..<rowsAnUpload).map { _ in
                    number += 1
                    return row(number, naming, at: now)
                }
                let receipt = try bench.receipt(
                    try Reading.upload("[" + rows.joined(separator: ",") + "]"), now: now)
                #expect(receipt.accepted == rowsAnUpload)
            }
        }
        return try bytes(bench)
    }

    @Test func `a device costs what the documentation says`() throws {
        var lines = ["| records named by | 1 record | 1 upload of 100 | 288 a day, for weeks |", "|---|---|---|---|"]
        var steady: [Naming: Int] = [:]
        for naming in Naming.allCases {
            let one = try remembered(naming, days: 1, rowsADay: 1, rowsAnUpload: 1)
            let hundred = try remembered(naming, days: 1, rowsADay: 100, rowsAnUpload: 100)
            steady[naming] = try remembered(naming, days: 14, rowsADay: 288, rowsAnUpload: 96)
            lines.append("| `\(naming.rawValue)` | \(one) B | \(hundred) B | \(steady[naming]!) B |")
            // A header, a receipt, a page or a day, and 4 or 10 bytes a record.
            #expect(one <= 12 + 41 + 20 + 10)
            #expect(hundred <= 12 + 41 + 3 * 20 + 100 * (naming == .id ? 10 : 4))
        }
        print("duplicate state of a device:\n" + lines.joined(separator: "\n"))
        // Ten days at most are remembered: the horizon, a day beyond it, and the one that began.
        #expect(steady[.seq]! <= 12 + 16 * 41 + 2_880 * 4 + 2_880 / 64 * 20 + 11 * 20)
        #expect(steady[.id]! <= 12 + 16 * 41 + 2_880 * 10 + 11 * 8)
        #expect(steady[.both]! == steady[.seq]!, "with a counter the id costs nothing")
    }

    @Test func `what is forgotten is refused for its age, so nothing counts twice after it`() throws {
        let bench = try EngineBench(), start = Reading.now
        let rows = [
            row(1, .seq, at: start), #"{"id":"7f3c1e52-9d0a-4b7e-8c11-000000000009","captured_at_ms":\#(start)}"#,
        ]
        let body = "[" + rows.joined(separator: ",") + "]"
        #expect(try bench.receipt(try Reading.upload(body)).accepted == 2)
        var accepted = 0, judgements: Set<String> = []
        for hour in stride(from: Int64(1), to: 20 * 24, by: 7) {
            let now = start + hour * 3_600_000
            // Another upload each time, so that no receipt answers for it.
            let receipt = try bench.receipt(
                try Reading.upload(body + String(repeating: " ", count: Int(hour))), now: now)
            accepted += receipt.accepted
            judgements.formUnion(receipt.items.map { $0.code ?? $0.status.rawValue })
        }
        #expect(accepted == 0)
        #expect(judgements == ["duplicate", "too_old"])
        #expect(try bytes(bench) <= 12 + 16 * 41, "a device that only repeats itself is remembered for ever")
    }

    @Test func `receipts of sixteen uploads are kept, of one device beside another's`() throws {
        let bench = try EngineBench()
        func body(_ number: Int) -> [UInt8] { Array(row(number, .seq, at: Reading.now).utf8) }
        let first = try (1...16).map { try bench.receipt(try Reading.upload(body($0))) }
        for number in 1...40 { _ = try bench.receipt(try Reading.upload(body(number), device: 8)) }
        for (number, receipt) in zip(1...16, first) {
            let again = try bench.receipt(try Reading.upload(body(number)))
            #expect(again.isRepeated && again.body == receipt.body)
        }
        _ = try bench.receipt(try Reading.upload(body(17)))
        let oldest = try bench.receipt(try Reading.upload(body(1)))
        #expect(!oldest.isRepeated && oldest.batchID == first[0].batchID && oldest.duplicates == 1)
        #expect(try bench.receipt(try Reading.upload(body(16))).isRepeated)
    }
}
