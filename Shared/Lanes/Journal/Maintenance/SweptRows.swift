internal import Wire

/// Records that outlive a sweep, gathered from neighbouring blocks of one kind until they make a block of their own.
struct SweptRows {
    /// Blocks with as many rows as this stay as they are if all of them are kept.
    static let enough = 512
    let kind: UInt8
    let version: UInt8
    private(set) var columns = Columns(rowCount: 0)
    private(set) var sources: [BlockHeader] = []

    init(kind: UInt8, version: UInt8) {
        self.kind = kind
        self.version = version
    }

    /// False for one block of which every row is kept.
    var isChanged: Bool { sources.count > 1 || sources.contains { $0.rowCount != columns.rowCount } }

    /// Rows that did not stand in the last of the blocks, whose number the joined one has.
    private(set) var movedRows = 0..<0

    func canTake(_ header: BlockHeader, _ rows: Int) -> Bool {
        header.kind == kind && header.kindVersion == version && columns.rowCount + rows <= 2 * Self.enough
    }

    mutating func take(_ header: BlockHeader, _ kept: Columns) {
        movedRows = 0..<columns.rowCount
        columns.append(kept)
        sources.append(header)
    }
}
