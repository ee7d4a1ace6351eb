import GRDB
import Lanes
import Models
import Storage
import Wire

/// Takes the superseded rows of ``ErasingCells`` out of the journal of `rollups`, round by round.
///
/// Headers of statistics name no subject, so every block of cells is opened, unless the journal knows from an erasure before
/// that it has none of these. Which keys are looked up is decided in memory, by six to eight bytes a cell.
struct SupersededCells {
    private var pass = JournalErasure()
    private let cells: KeyHashes
    private let find: PreparedStatement

    init(_ db: Database) throws {
        find = try PreparedStatement(db, "SELECT through FROM erasing_cells WHERE key = ?")
        let keys = try PreparedStatement(db, "SELECT key FROM erasing_cells")
        var hashes: [UInt32] = []
        while try keys.step() { hashes.append(KeyHashes.hash(keys.bytes(0))) }
        cells = KeyHashes(hashes)
    }

    var isDone: Bool { cells.isEmpty || pass.isDone }

    /// One bounded round inside the caller's transaction.
    mutating func round(_ journal: Journal, _ db: Database) throws {
        let (cells, find) = (cells, find)
        try journal.eraseSuperseded(db, kind: .cell, of: cells, &pass) { columns, header in
            guard let keys = columns[ColumnID.key] else { return (0..<Int32(columns.rowCount)).map { $0 } }
            return try (0..<Int32(columns.rowCount)).filter { row in
                guard keys.presence[Int(row)] else { return true }
                return try keys.withBytes(Int(row)) { key in
                    guard cells.mayHave(KeyHashes.hash(key)) else { return true }
                    defer { find.reset() }
                    find.bind(key, 1)
                    return try !find.step() || find.integer(0) < Int64(header.number)
                }
            }
        }
    }
}
