import Foundation

/// How the waiting rows of a day are cut into slices, so that each transaction has bounded memory.
package struct SliceSize {
    /// Most rows of a slice: about 20 bytes of memory each.
    static let rows = 100_000
    /// Most cells a slice should change.
    static let cells = 20_000
    /// Most bytes of histograms a slice should change; several copies of them live until the commit.
    static let bytes = 6 << 20
    /// Rows that one fold should take; more wait for the next. The more there are, the fewer times a cell is changed.
    static let foldRows = 3_000_000
    /// Most bytes of a fold's records, about 25 each, and base cells in memory. Of more, rows are read as often as it takes (``FoldReader``).
    package static let passBytes = 32 << 20
    /// Of a base cell with rows: cells that change, itself among them, and bytes of their histograms. Not of a row: there may be
    /// one in a base cell or a thousand.
    private struct Share {
        var cells = 4.0
        var bytes = 2_500.0
    }

    /// By local day, as last seen: today's cells are large, those of late rows small or references.
    private var shares: [Int64: Share] = [:]
    /// Base cells of a slice that says what a day's are like. In small ones each has the coarser cells almost for itself.
    static let telling = 500
    /// Rows of a block, as lately seen; at first as many as there can be.
    private var rowsPerBlock = 4_096.0

    /// Most blocks of a lane that one fold takes.
    var blocks: Int { max(1, Int(Double(SliceSize.foldRows) / max(rowsPerBlock, 1))) }

    /// Learns how large the blocks are that come.
    mutating func learn(rows: Int, blocks: Int) {
        guard blocks > 0 else { return }
        // The mean of about the last eight blocks.
        let share = 1 - pow(7.0 / 8, Double(blocks))
        rowsPerBlock += (Double(rows) / Double(blocks) - rowsPerBlock) * share
    }

    /// Parts for so many rows of a day in so many base cells; 0 for none.
    func parts(day: Int64, rows: Int, bases: Int) -> Int {
        let share = shares[day] ?? Share()
        return max(
            divided(rows, SliceSize.rows), divided(Int(Double(bases) * share.cells), SliceSize.cells),
            divided(Int(Double(bases) * share.bytes), SliceSize.bytes))
    }

    /// Learns what a slice was like.
    mutating func learn(day: Int64, bases: Int, cells: Int, bytes: Int) {
        guard bases >= SliceSize.telling else { return }
        if shares.count > 64 { shares.removeAll() }
        shares[day] = Share(cells: Double(cells) / Double(bases), bytes: Double(bytes) / Double(bases))
    }

    private func divided(_ number: Int, _ size: Int) -> Int { (number + size - 1) / size }
}
