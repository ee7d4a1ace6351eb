import GRDB
import Lanes
import Models
import Storage
import Wire

/// Takes the superseded rows of ``ErasingCells`` out of the journal of `rollups`, round by round.
///
/// Headers of statistics name no subject, so every block of cells is opened. Which keys are looked up is decided by a bit
/// each in memory: two bytes a cell, however many there are.
struct SupersededCells {
    private var pass = JournalErasure()
    private var bits: [UInt64]
    private let find: PreparedStatement

    init(_ db: Database) throws {
        let count = try ErasingCells.count(db)
        bits = [UInt64](repeating: 0, count: count == 0 ? 0 : max(64, (count / 4).nextPowerOfTwo))
        find = try PreparedStatement(db, "SELECT through FROM erasing_cells WHERE key = ?")
        let keys = try PreparedStatement(db, "SELECT key FROM erasing_cells")
        while try keys.step() {
            let bit = Self.hash(keys.bytes(0)) & (bits.count * 64 - 1)
            bits[bit >> 6] |= 1 << UInt64(bit & 63)
        }
    }

    var isDone: Bool { bits.isEmpty || pass.isDone }

    /// One bounded round inside the caller's transaction.
    mutating func round(_ journal: Journal, _ db: Database) throws {
        let (bits, find) = (bits, find)
        try journal.eraseSuperseded(db, kind: .cell, &pass) { columns, header in
            guard let keys = columns[ColumnID.key] else { return (0..<Int32(columns.rowCount)).map { $0 } }
            return try (0..<Int32(columns.rowCount)).filter { row in
                guard let key = keys.value(Int(row)) else { return true }
                return try key.withUnsafeBytes { try !Self.isSuperseded($0, header.number, bits, find) }
            }
        }
    }

    private static func isSuperseded(
        _ key: UnsafeRawBufferPointer, _ block: UInt64, _ bits: [UInt64], _ find: PreparedStatement
    ) throws -> Bool {
        let bit = hash(key) & (bits.count * 64 - 1)
        guard bits[bit >> 6] >> UInt64(bit & 63) & 1 == 1 else { return false }
        defer { find.reset() }
        find.bind(key, 1)
        return try find.step() && find.integer(0) >= Int64(block)
    }

    private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
        var mixed: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in key { mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int(truncatingIfNeeded: mixed ^ mixed >> 29)
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
