import Foundation
import GRDB
import Models
import Storage
import SubjectRights
import TemporaryFiles
import Testing

@testable import RewardDispatcher

struct RewardCopyTests {
    private func lines(_ bench: RewardBench, of device: UInt64) throws -> [(kind: String, members: [String: Any])] {
        let copy = RewardCopy(bench.effects.payouts)
        var place: String?, lines: [SubjectLine] = []
        repeat {
            let page = try bench.database.read { try copy.page(of: device, after: place, in: $0) }
            lines += page.lines
            place = page.next
        } while place != nil
        #expect(lines.allSatisfy { line in copy.held.contains { $0.kind == line.kind } })
        return try lines.map {
            ($0.kind, try JSONSerialization.jsonObject(with: Data($0.members)) as? [String: Any] ?? [:])
        }
    }

    @Test func `grants in every state are given with their entries in the ledger, and no other's`() throws {
        let bench = try RewardBench()
        _ = try bench.makeAllStates(of: [1, 2])
        let mine = try lines(bench, of: 1)
        let grants = mine.filter { $0.kind == "grant" }.compactMap { $0.members["grant"] as? String }
        #expect(Set(grants) == Set((1...7).map { bench.id(1, $0).text }) && grants.count == 7)
        let entries = mine.filter { $0.kind == "ledger_entry" }
        #expect(
            try bench.number(
                """
                SELECT count(*) FROM ledger_entries WHERE transaction_id IN
                    (SELECT transaction_id FROM ledger_entries WHERE owner = '1')
                """) == Int64(entries.count))
        #expect(
            entries.allSatisfy { entry in grants.contains { (entry.members["transaction"] as? String)!.hasPrefix($0) } }
        )
        #expect(try lines(bench, of: 3).isEmpty)
    }

    @Test func `the number that rewards go to is given in full`() throws {
        let directory = try TemporaryDirectory()
        let keys = try PayoutKeys(KeyStore(directory: directory.path + "/keys"))
        let bench = try RewardBench(payoutKeys: keys)
        var numbers = PayoutBench(keys)
        try bench.take(try numbers.block([(1, "+237670000001"), (2, "+237670000002")]))
        let mine = try lines(bench, of: 1)
        #expect(mine.map(\.kind) == ["payout_number"])
        #expect(mine[0].members["phone"] as? String == "+237670000001")
        #expect(mine[0].members["operator"] as? String == "62401" && mine[0].members["since_ms"] as? Int != nil)
    }

    @Test func `what was paid by rewards that are nobody's any more is given as one sum`() throws {
        let bench = try RewardBench()
        try bench.database.write { try CarriedBalances().add(150, to: 1, $0) }
        let mine = try lines(bench, of: 1)
        #expect(mine.map(\.kind) == ["carried_balance"] && mine[0].members["paid_xaf"] as? Int == 150)
        #expect(try lines(bench, of: 2).isEmpty)
    }

    @Test func `page by page every grant comes once, those of one millisecond too`() throws {
        let bench = try RewardBench()
        for block in 0..<30 { try bench.give((0..<10).map { .init(device: 1, seq: Int64(block * 10 + $0 + 1)) }) }
        let grants = try lines(bench, of: 1).filter { $0.kind == "grant" }.compactMap { $0.members["grant"] as? String }
        #expect(Set(grants).count == 300 && grants.count == 300)
    }
}
