/// A part of a fold and what there is to know of it.
package struct FoldSlice {
    var part: FoldPart
    /// The local day of its rows.
    var day: Int64
    /// Tells it from others whose sums are made ahead (``CellWriter``).
    var number: Int
    /// Buckets that begin before are sealed and take no rows: an hour across midnight is with the first of its days.
    var sealed: Int64

    package init(part: FoldPart, day: Int64, number: Int, sealed: Int64 = .min) {
        self.part = part
        self.day = day
        self.number = number
        self.sealed = sealed
    }

    /// Whether sums that are made of another are this one's.
    func hasSums(of other: FoldSlice) -> Bool { number == other.number && sealed == other.sealed }
}

/// Records that are folded in one transaction.
package struct FoldPart {
    /// The base cells, by number; each has records.
    package var keys: [PlaceKey]
    /// In pieces that hold whole ones.
    var records: RecordPieces
    /// The day's records up to here are this part's or in the cells already.
    package var last: UInt64

    init(keys: [PlaceKey], records: RecordPieces, last: UInt64) {
        self.keys = keys
        self.records = records
        self.last = last
    }

    /// A part without records so far.
    package init(last: UInt64) { self.init(keys: [], records: RecordPieces(), last: last) }
}

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

    /// Lends the bytes from the begin of a record on.
    ///
    /// - Parameter location: the number of its piece, and where it begins there, 16 bits each.
    @inline(__always)
    func withRecord<Result>(_ location: UInt32, _ body: (UnsafeRawPointer) -> Result) -> Result {
        pieces[Int(location >> 16)].withUnsafeBytes { body($0.baseAddress! + Int(location & 0xffff)) }
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
