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
        let (states, paid) = try told()
        try compare(states, paid)
    }

    /// What a device was paid it was paid, whether its rewards are still known or not.
    ///
    /// - Parameters:
    ///   - erased: devices of which nothing is known any more.
    ///   - copies: ingest's, by which subscribers are told.
    func compare(_ rewards: SimulatedRewards, erased: Set<Int>, _ copies: ServiceDatabase) throws {
        let shown = try copies.read { db in
            try Row.fetchAll(db, sql: "SELECT device, paid FROM subscribers").map { ($0[0] as Int, $0[1] as Int) }
        }
        for (place, balances) in [("the lane", try told().paid), ("ingest", Dictionary(uniqueKeysWithValues: shown))] {
            for device in Set(rewards.settlements.values.map(\.device)).subtracting(erased).sorted()
            where balances[device] ?? 0 != rewards.paid(to: device) {
                throw SimulationFailure(
                    "device \(device) was paid \(rewards.paid(to: device)), \(place) says \(balances[device] ?? 0)")
            }
        }
    }

    /// States of grants and sums of devices whose documents the lane still has, whatever was said of them later.
    private func told() throws -> (states: [String: String], paid: [Int: Int]) {
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
        return (states, paid)
    }

    private func compare(_ states: [String: String], _ paid: [Int: Int]) throws {
        let (stored, sums) = try database.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, state, device, CASE state WHEN 'confirmed' THEN amount ELSE 0 END FROM grants
                    WHERE device <> 0
                    """)
            let carried = try Row.fetchAll(db, sql: "SELECT device, paid FROM carried_balances")
            let sums = rows.map { ($0[2] as Int, $0[3] as Int) } + carried.map { ($0[0] as Int, $0[1] as Int) }
            return (
                Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) }),
                Dictionary(sums, uniquingKeysWith: +)
            )
        }
        // Of a device whose grants were all rejected and forgotten the lane may go on saying that it was paid nothing.
        let isTrue = paid.allSatisfy { sums[$0.key] ?? 0 == $0.value } && sums.keys.allSatisfy { paid[$0] != nil }
        guard states == stored, isTrue else {
            throw SimulationFailure("the rewards lane says \(states), \(paid); the dispatcher \(stored), \(sums)")
        }
    }
}
