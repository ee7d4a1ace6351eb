internal import Foundation
internal import GRDB
internal import Models
internal import Storage
internal import Wire

/// How rows go from day files. A block keeps its place, its row count and the numbers of its other rows; what it had of a row
/// is overwritten where it stands.
extension RawRowFiles {
    /// What is done at once: blocks whose subjects are looked at, bytes of payloads that are opened.
    package static let erasureLimit = (blocks: 1_024, bytes: 256 << 10)

    /// Some blocks of a day, those opened that have rows of a subject.
    package struct DayLook {
        package var blocks: [StoredBlock] = []
        /// Blocks up to here were looked at.
        package var through: Int64
        /// Bytes of the payloads that were opened.
        package var bytes = 0
        /// True at the end of the day's file.
        package var isOver = false
    }

    /// Days that have a file with blocks, ascending.
    package var days: [String] { index.current.map(\.day).sorted() }

    /// The next blocks of a day that have rows of any of these devices.
    ///
    /// Of a block that was stored before subjects were noted they are found out, and noted.
    package func look(into day: String, after sequence: Int64, for devices: Set<UInt64>) throws -> DayLook {
        // Its time may have been over since the pass began.
        guard index.holds(day) else { return DayLook(through: sequence, isOver: true) }
        let database = try database(of: day)
        var look = DayLook(through: sequence), noted: [(sequence: Int64, subjects: [UInt64])] = []
        try database.read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT sequence, subjects FROM block_subjects WHERE sequence > ? ORDER BY sequence LIMIT ?",
                arguments: [sequence, Self.erasureLimit.blocks])
            var looked = 0
            while let row = try rows.next() {
                looked += 1
                look.through = row[0]
                let subjects = Blob.optionalBytes(row, 1)
                if let subjects, !NumberList.contains(any: devices, in: subjects) { continue }
                guard let block = try open(look.through, on: day, &look.bytes, db) else { continue }
                let known = subjects == nil ? block.columns.devices : nil
                if let known { noted.append((look.through, known)) }
                if known?.contains(where: devices.contains) ?? true { look.blocks.append(block) }
                if look.bytes >= Self.erasureLimit.bytes { return }
            }
            look.isOver = looked < Self.erasureLimit.blocks
        }
        if !noted.isEmpty {
            try database.write { db in for one in noted { try DayFile.setSubjects(one.subjects, of: one.sequence, db) }
            }
        }
        return look
    }

    /// Erases rows of blocks of a day, given by their numbers; on disk when it returns. What is erased already stays so.
    ///
    /// - Returns: the hours in which rows of each block were received.
    package func erase(_ rows: [(sequence: Int64, rows: [Int])], on day: String) throws -> [ClosedRange<Int64>] {
        let number = ReceivedDay.number(named: day) ?? 0
        let hours = try database(of: day).write { db in
            try rows.map { one in
                try erase(Set(one.rows), of: one.sequence, on: day, db)
                return try DayFile.hours(of: one.sequence, day: number, db)
            }
        }
        rewritten.add(rows.map(\.sequence))
        return hours
    }

    /// Empties the write-ahead logs of all day files that have anything in them; false if a download was in the way.
    package func truncateLogs() throws -> Bool {
        var areEmpty = true
        for day in days where !isLogEmpty(day) { areEmpty = try database(of: day).truncateLog() && areEmpty }
        return areEmpty
    }

    private func isLogEmpty(_ day: String) -> Bool {
        if directory == Self.inMemory { return true }
        guard options.vfs == nil else { return false }
        let log = Self.path(of: day, in: directory) + "-wal"
        return (try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) ?? 0 == 0
    }

    private func open(_ sequence: Int64, on day: String, _ bytes: inout Int, _ db: Database) throws -> StoredBlock? {
        guard let stored = try DayFile.block(sequence, day: day, layout, db), !stored.isEmpty else { return nil }
        bytes += stored.payload.count
        return try stored.opened(day: day, in: directory, sealer, &decoder)
    }

    private func erase(_ going: Set<Int>, of sequence: Int64, on day: String, _ db: Database) throws {
        guard let stored = try DayFile.block(sequence, day: day, layout, db), !stored.isEmpty else { return }
        let block = try stored.opened(day: day, in: directory, sealer, &decoder)
        let kept = (0..<block.columns.rowCount).filter { !going.contains(block.number(of: $0)) }
        guard kept.count < block.columns.rowCount else { return }
        let left = Set(kept.map(block.number))
        let columns = block.columns.gathered(kept.map(Int32.init))
        var payload: [UInt8] = [], encoded: EncodedColumns?
        if !kept.isEmpty {
            encoded = try rewriter.encode(columns)
            payload = encoded!.payload
            if stored.keyID != 0, let sealer { payload = try sealer.seal(payload, additional: stored.seal) }
        }
        let gap = RawGap(
            rows: (0..<stored.rowCount).filter { !left.contains($0) }, length: payload.count,
            rawLength: encoded?.rawLength ?? 0, crc32: encoded?.crc32 ?? 0)
        try DayFile.replace(stored, by: RawRest(columns, gap, payload), day: day, db)
    }
}
