/// The place of one raw row, as clients hold it: `<sequence>-<row>`; what is asked for after it continues exactly there.
struct RawRowCursor: Equatable, Comparable {
    /// Place of the block in the order of arrival.
    let sequence: Int64
    /// Row within it; −1 stands before the first.
    let row: Int

    /// Before everything.
    static let start = RawRowCursor(sequence: 0, row: -1)

    init(sequence: Int64, row: Int) {
        self.sequence = sequence
        self.row = row
    }

    /// Reads a cursor that a client gives back.
    init(text: String) throws(ParameterFault) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = Int64(parts[0]), let row = Int(parts[1]), sequence >= 0, row >= 0 else {
            throw ParameterFault("cursor", "\"\(text)\": expected the value of column cursor of the last row received")
        }
        self.init(sequence: sequence, row: row)
    }

    static func < (left: Self, right: Self) -> Bool { (left.sequence, left.row) < (right.sequence, right.row) }
}
