/// How many rows of a kind fit into a block of 64 KB, learnt from the blocks before.
struct RowEstimate {
    /// Most rows of a block.
    static let maximumRows = 4_096
    /// Most bytes of a payload, unless one row alone is longer.
    static let maximumPayload = 65_536
    /// Payload bytes of 1 024 rows, by kind.
    private var bytesPer1024: [UInt8: Int] = [:]

    /// Rows to try, 1 … 4 096; a fifth of the room is left for rows that are longer than the last ones.
    func rows(of kind: UInt8) -> Int {
        guard let bytes = bytesPer1024[kind] else { return Self.maximumRows }
        return min(max(Self.maximumPayload * 4 / 5 * 1_024 / max(bytes, 1), 1), Self.maximumRows)
    }

    mutating func learn(kind: UInt8, rows: Int, payload: Int) {
        guard rows > 0 else { return }
        bytesPer1024[kind] = payload * 1_024 / rows
    }
}
