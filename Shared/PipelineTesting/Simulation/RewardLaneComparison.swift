import Foundation
import GRDB
import Lanes
import Models
import Storage
import Wire

/// Compares what the dispatcher told on its lane with what it knows.
struct RewardLaneComparison {
    private let database: ServiceDatabase
    private let sealer: BlockSealer?

    init(_ database: ServiceDatabase, sealer: BlockSealer?) {
        self.database = database
        self.sealer = sealer
    }

    /// The last word on each grant is its state, the last word on each device what it was paid.
    func compare() throws {
        var decoder = ColumnDecoder()
        var states: [String: String] = [:], paid: [Int: Int] = [:]
        let all = JournalPage.Limit(blocks: .max, bytes: .max)
        let page = try Journal.read(lane: .rewards, from: database.reader(), after: 0, limit: all, sealer: sealer)
        for block in page.blocks {
            let documents = try block.columns(with: &decoder)[ColumnID.document]
            for row in 0..<block.header.rowCount {
                guard let text = documents?.value(row) else { continue }
                if block.header.kind == RecordKind.grant.id {
                    let grant = try JSONDecoder().decode(GrantDocument.self, from: Data(text))
                    states[grant.grant] = grant.state.rawValue
                } else if block.header.kind == RecordKind.balance.id {
                    let balance = try JSONDecoder().decode(BalanceDocument.self, from: Data(text))
                    paid[Int(balance.device)] = Int(balance.paidXAF)
                    guard balance.paidXAF >= 0, balance.pendingXAF >= 0 else {
                        throw SimulationFailure("device \(balance.device) has a balance below nothing")
                    }
                }
            }
        }
        try compare(states, paid)
    }

    private func compare(_ states: [String: String], _ paid: [Int: Int]) throws {
        let (stored, sums) = try database.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, state, device, CASE state WHEN 'confirmed' THEN amount ELSE 0 END FROM grants
                    WHERE device <> 0
                    """)
            return (
                Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) }),
                Dictionary(rows.map { ($0[2] as Int, $0[3] as Int) }, uniquingKeysWith: +)
            )
        }
        guard states == stored, paid == sums else {
            throw SimulationFailure("the rewards lane says \(states), \(paid); the dispatcher \(stored), \(sums)")
        }
    }
}
