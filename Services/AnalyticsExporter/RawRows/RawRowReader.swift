internal import GRDB
internal import Models
internal import Storage
internal import Wire

/// Reads stored blocks in the order of their arrival, over all day files, up to where it had come at the beginning.
///
/// Confined to one thread. Holds no transaction between calls: each fetches a few blocks.
final class RawRowReader {
    /// Blocks that are fetched at once.
    static let batch = 8

    private let files: RawRowFiles.Opener
    private var ahead: ArraySlice<RawRowIndex.Span>
    private var open: [OpenDay] = []
    private var position: Int64
    private var decoder = ColumnDecoder()

    /// - Parameter spans: by their first place.
    init(files: RawRowFiles.Opener, spans: [RawRowIndex.Span], after cursor: RawRowCursor) {
        self.files = files
        // The block of the cursor may have rows left.
        position = max(cursor.sequence, 1)
        ahead = spans.filter { [position] in $0.sequences.upperBound >= position }[...]
    }

    /// Whether nothing is left to read.
    var isAtEnd: Bool { ahead.isEmpty && open.isEmpty }

    /// The next block that may hold rows of the query, nil at the end.
    func next(_ query: RawRowQuery) throws -> StoredBlock? {
        while true {
            try openDays(query)
            guard let place = open.indices.min(by: { open[$0].first < open[$1].first }) else { return nil }
            let row = open[place].takeFirst()
            position = row.sequence + 1
            let day = open[place].day
            if open[place].isEmpty { try refill(place, query) }
            if !row.mayBeIn(query.networks) { continue }
            return try decode(row, day: day)
        }
    }

    /// Opens every day whose blocks may come before those of the days that are open.
    private func openDays(_ query: RawRowQuery) throws {
        while let span = ahead.first, open.isEmpty || span.sequences.lowerBound <= open.map(\.first).min()! {
            ahead.removeFirst()
            let start = max(position, span.sequences.lowerBound)
            let day = OpenDay(span: span, connection: try files.open(span.day), from: start)
            open.append(day)
            try refill(open.count - 1, query)
        }
    }

    private func refill(_ place: Int, _ query: RawRowQuery) throws {
        if try !open[place].fetch(query) {
            let day = open.remove(at: place)
            if files.memory == nil { try day.connection.close() }
        }
    }

    private func decode(_ row: StoredRow, day: String) throws -> StoredBlock {
        var payload = row.payload
        if row.keyID != 0 {
            guard let sealer = files.sealer, sealer.keyID == row.keyID else {
                throw StorageError(
                    .badKey, path: files.directory,
                    message: "\(day).sqlite: a block is sealed by a key that is not here")
            }
            payload = try sealer.open(payload, additional: row.seal, place: "\(day).sqlite, block \(row.sequence)")
        }
        let columns = try decoder.decode(payload, rowCount: row.rowCount, rawLength: row.rawLength, crc32: row.crc32)
        return StoredBlock(sequence: row.sequence, day: day, lane: row.lane, kind: row.kind, columns: columns)
    }
}
