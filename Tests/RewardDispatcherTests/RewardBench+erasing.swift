import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing
import Wire

@testable import RewardDispatcher

extension RewardBench {
    /// A device's grants in every state, by number of the record: confirmed, rejected, pending after a failure, sent, unknown,
    /// asked, pending and never sent. Calls that are not answered: that of 4 and the question about 6.
    ///
    /// - Returns: the calls that are not over.
    func makeAllStates(of devices: [Int64]) throws -> [ProviderCall] {
        let start = Self.start
        try give(devices.flatMap { device in (1...6).map { Given(device: device, seq: $0) } })
        try tick(start)
        let ids = Dictionary(
            uniqueKeysWithValues: devices.flatMap { device in (1...6).map { (id(device, $0), $0 as Int64) } })
        var open: [ProviderCall] = []
        for call in takeCalls() {
            switch ids[call.grant]! {
            case 1: effects.answers.add(.confirmed("paid \(call.grant.text)"), to: call)
            case 2: effects.answers.add(.rejected("no such number \(call.grant.text)"), to: call)
            case 3: effects.answers.add(.failed("busy"), to: call)
            case 5, 6: effects.answers.add(.unknown("no answer"), to: call)
            default: open.append(call)
            }
        }
        // Only 6 is asked about; 3, 5 and 7 are put off.
        try tick(start + 1)
        try putOff(devices, 3, 5)
        try tick(start + 900)
        open += takeCalls()
        try give(devices.map { Given(device: $0, seq: 7) }, at: start + 900)
        try putOff(devices, 7)
        return open
    }

    private func putOff(_ devices: [Int64], _ seqs: Int64...) throws {
        try database.write { db in
            for id in devices.flatMap({ device in seqs.map { self.id(device, $0) } }) {
                try db.execute(
                    sql: "UPDATE grants SET due_at = ? WHERE id = ?", arguments: [Self.start + 100_000, id.text])
            }
        }
    }

    func id(_ device: Int64, _ seq: Int64) -> GrantID {
        GrantID(device: UInt64(device), campaign: "built-in", record: Given(device: device, seq: seq).record)
    }

    /// Orders an erasure and lets it come to its end; the books balance after every step.
    func erase(_ device: Int64, scope: ErasureScope = .everything, at now: UnixMilliseconds = start + 900) throws {
        try engine.step([Given.order(nextNumber(on: .privacy), device, scope: scope)], now: now)
        try settle(at: now)
    }

    func settle(at now: UnixMilliseconds) throws {
        for _ in 0..<60 {
            try engine.step([], now: now)
            try checkBooks()
        }
    }

    func checkBooks() throws {
        try database.read { db in
            try Ledger().check(db)
            let wrong = try String.fetchAll(
                db,
                sql: """
                    SELECT account || ' ' || owner FROM ledger_entries WHERE account <> 'budget' AND \(Self.isAtRest)
                    GROUP BY account, owner HAVING sum(sign * amount) < 0
                    """)
            #expect(wrong == [])
        }
    }

    /// False between two slices of an erasure, when a subject's sums lie under two names.
    private static let isAtRest = "NOT EXISTS (SELECT 1 FROM erasing_subjects)"

    func receipts() throws -> [ErasureReceiptDocument] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .rewards, from: database.reader(), after: 0, kinds: [RecordKind.erasureReceipt.id]
        ).blocks.flatMap { try $0.columns(with: &decoder).documents(ErasureReceiptDocument.self).map(\.document) }
    }

    /// Everything that the tables have of other devices than one, and of campaigns.
    func dump(without device: Int64) throws -> [String] {
        try database.read { db in
            let sums = "SELECT account, count(*), sum(sign * amount) FROM ledger_entries GROUP BY account"
            let tables = [
                "SELECT * FROM grants WHERE device NOT IN (0, \(device)) ORDER BY id",
                """
                SELECT * FROM ledger_entries WHERE substr(transaction_id, 1, 32) IN (
                    SELECT id FROM grants WHERE device NOT IN (0, \(device))) ORDER BY transaction_id, line
                """,
                "SELECT * FROM payouts WHERE device <> \(device) ORDER BY device", "SELECT * FROM campaigns", sums,
            ]
            return try tables.flatMap { try Row.fetchAll(db, sql: $0).map { "\($0)" } }
        }
    }
}
