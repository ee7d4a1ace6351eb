internal import Foundation
internal import GRDB

extension DeviceStore {
    func apply(_ change: QueueChange, _ db: Database) throws {
        switch change {
        case .keep(let draft): try keep(draft, db)
        case .form(let order): try form(order, db)
        case .settle(let slot, let settlement): try settle(slot, settlement, db)
        case .dissolve(let slot):
            try db.execute(sql: "UPDATE records SET slot = NULL WHERE slot = ?", arguments: [slot.rawValue])
            try db.execute(sql: "DELETE FROM uploads WHERE slot = ?", arguments: [slot.rawValue])
        case .giveUp(let slot, let reason): count(reason.counter, try remove(slot, db))
        case .expire(let time):
            try db.execute(sql: "DELETE FROM records WHERE slot IS NULL AND at < ?", arguments: [time])
            count(DropReason.expired.counter, db.changesCount)
            for slot in UploadSlot.allCases where (facts.pending[slot].map { $0.newest < time }) ?? false {
                count(DropReason.expired.counter, try remove(slot, db))
            }
        case .trim(let bytes): try trim(to: bytes, db)
        case .dropEverything(let reason):
            try db.execute(sql: "DELETE FROM records")
            count(reason.counter, db.changesCount)
            try db.execute(sql: "DELETE FROM uploads")
        }
    }

    private func keep(_ draft: RecordDraft, _ db: Database) throws {
        count("made", 1)
        try insert(draft, seq: nextSeq(), isRenumbered: false, db)
    }

    private func insert(_ draft: RecordDraft, seq: Int64, isRenumbered: Bool, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO records (seq, kind, is_urgent, at, is_renumbered, sealed) VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            seq, draft.kind.rawValue, draft.isUrgent, draft.at, isRenumbered,
            Data(try sealer.seal(draft.members, at: "record \(seq)")),
        ])
    }

    /// The upload's records, in the order in which they stand in its body.
    private func settle(_ slot: UploadSlot, _ settlement: Settlement, _ db: Database) throws {
        let again = try again(slot, settlement, db)
        try remove(slot, db)
        count("accepted", settlement.accepted)
        count("duplicates", settlement.duplicates)
        for (code, number) in settlement.rejected { count("rejected_\(code)", number) }
        for (draft, wasRenumbered) in again {
            guard !wasRenumbered else {
                count("conflicts", 1)
                continue
            }
            count("renumbered", 1)
            try insert(draft, seq: nextSeq(above: settlement.usedCounter), isRenumbered: true, db)
        }
    }

    private func again(
        _ slot: UploadSlot, _ settlement: Settlement, _ db: Database
    ) throws -> [(draft: RecordDraft, wasRenumbered: Bool)] {
        guard !settlement.again.isEmpty else { return [] }
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM records WHERE slot = ? ORDER BY seq", arguments: [slot.rawValue])
        return try settlement.again.filter { rows.indices.contains($0) }.compactMap { place in
            let row = rows[place]
            guard let kind = DeviceRecordKind(rawValue: row["kind"]) else { return nil }
            let draft = RecordDraft(
                kind: kind, isUrgent: row["is_urgent"], at: row["at"],
                members: try sealer.open([UInt8](row["sealed"] as Data), at: "record \(row["seq"] as Int64)"))
            return (draft, row["is_renumbered"])
        }
    }

    /// - Returns: how many records went with it.
    @discardableResult
    private func remove(_ slot: UploadSlot, _ db: Database) throws -> Int {
        try db.execute(sql: "DELETE FROM uploads WHERE slot = ?", arguments: [slot.rawValue])
        try db.execute(sql: "DELETE FROM records WHERE slot = ?", arguments: [slot.rawValue])
        return db.changesCount
    }

    /// What is not urgent goes first, the oldest before the others.
    private func trim(to limit: Int, _ db: Database) throws {
        var excess = facts.waitingBytes - limit
        guard excess > 0 else { return }
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT seq, length(sealed) AS bytes FROM records WHERE slot IS NULL ORDER BY is_urgent, seq
                """)
        var gone: [Int64] = []
        while excess > 0, let row = try rows.next() {
            excess -= row["bytes"] as Int
            gone.append(row["seq"])
        }
        for seq in gone { try db.execute(sql: "DELETE FROM records WHERE seq = ?", arguments: [seq]) }
        count(DropReason.overflow.counter, gone.count)
    }
}
