/// Of blocks that an erasure has opened, the hashes of their rows' keys, so that the next one opens only those that may have
/// a row of its own. Kept in memory and gone with the process, four bytes a row.
///
/// A block may have fewer rows than are noted, never another: who stores a block under a number forgets what was there.
struct OpenedBlocks {
    /// Hashes that are kept, 16 MB; blocks beyond them are opened each time.
    static let mostRows = 4 << 20

    private var hashes: [UInt64: [UInt32]] = [:]
    private var rows = 0

    /// False if a block has been opened and has none of the keys.
    func mayHave(_ keys: KeyHashes, in block: UInt64) -> Bool {
        guard let hashes = hashes[block] else { return true }
        return hashes.contains(where: keys.mayHave)
    }

    mutating func note(_ keys: [UInt32], of block: UInt64) {
        forget(block)
        guard rows + keys.count <= Self.mostRows else { return }
        rows += keys.count
        hashes[block] = keys
    }

    mutating func forget(_ block: UInt64) { rows -= hashes.removeValue(forKey: block)?.count ?? 0 }
}
