import Foundation
import GRDB
import Models
import Storage
import SubjectRights
import Testing

@testable import BatchAggregator

@Suite struct OpenRowCopyTests {
    private func lines(_ world: AggregatorWorld, of device: UInt64) throws -> [[String: Any]] {
        let copy = OpenRowCopy(world.effects.open, world.effects.rules)
        var place: String?, lines: [SubjectLine] = [], pages = 0
        repeat {
            let page = try world.database.read { try copy.page(of: device, after: place, in: $0) }
            lines += page.lines
            place = page.next
            pages += 1
        } while place != nil && pages < 10_000
        #expect(lines.allSatisfy { line in copy.held.contains { $0.kind == line.kind } })
        return try lines.map { try JSONSerialization.jsonObject(with: Data($0.members)) as? [String: Any] ?? [:] }
    }

    @Test(arguments: 0..<8) func `every row of a device comes once and none of another`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let world = try AggregatorWorld()
        var counts: [Int64: Int] = [:]
        for _ in 0..<60 {
            let rows = (0..<dice.pick([1, 5, 20])).map { _ in AcceptedRow.random(&dice) }
            // What a phone made up never reaches statistics.
            for row in rows where row[ColumnID.mockLocation] != 1 { counts[row[ColumnID.device]!, default: 0] += 1 }
            try world.step([try world.block(rows, lane: dice.pick([.batch, .realtime]))])
        }
        for device in 1...13 as ClosedRange<Int64> {
            #expect(try lines(world, of: UInt64(device)).count == counts[device] ?? 0, "device \(device)")
        }
    }

    @Test func `a line says where when and by which bins a row counts`() throws {
        let world = try AggregatorWorld()
        var row = AcceptedRow.plain(device: 5)
        row[ColumnID.download] = 100
        row[ColumnID.flags] = (1 << 20 - 1)
        try world.step([try world.block([row, .plain(device: 6)])])
        let line = try #require(try lines(world, of: 5).first)
        #expect(line["captured_ms"] as? Int == 1_785_000_000_000 / 300_000 * 300_000)
        #expect((line["cell"] as? String)?.count == 16 && line["network"] as? String == "62401")
        #expect(line["technology"] as? String == "4G" && line["sim_network"] == nil)
        #expect(line["bins"] as? [String: Int] == ["download_kbps": 100])
        #expect(line["record_kind"] as? String == "report" && line["flags"] as? Int == 4 + 8 + 32 + 64)
        #expect(try lines(world, of: 6).first?["flags"] == nil)
    }
}
