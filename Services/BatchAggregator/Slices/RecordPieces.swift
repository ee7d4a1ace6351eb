/// Bytes that grow by pieces of one size, so that nothing is copied and little is set aside.
struct RecordPieces {
    private static let pieceBytes = 65_536
    private(set) var pieces: [[UInt8]] = []

    /// Adds a record, which stays in one piece.
    @inline(__always)
    mutating func append(_ record: UnsafeRawBufferPointer) {
        if pieces.isEmpty || pieces[pieces.count - 1].count + record.count > RecordPieces.pieceBytes { addPiece() }
        pieces[pieces.count - 1].append(contentsOf: record)
    }

    /// Lends the pieces in their order and gives up the memory of each right after.
    mutating func drain(_ body: (UnsafeRawBufferPointer) -> Void) {
        pieces.reverse()
        while let piece = pieces.popLast() { piece.withUnsafeBytes(body) }
    }

    private mutating func addPiece() {
        var piece: [UInt8] = []
        piece.reserveCapacity(RecordPieces.pieceBytes)
        pieces.append(piece)
    }
}
