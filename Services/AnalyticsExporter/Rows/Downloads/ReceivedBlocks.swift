internal import ExporterSupport
internal import GRDB
package import Models
internal import Storage
internal import Wire

/// Reads stored blocks in the order in which their rows were received: day after day, the two lanes of rows side by side.
///
/// The order of arrival is another one where the exporter read one lane later than the other. Confined to one thread; holds a few
/// blocks.
package final class ReceivedBlocks {
    /// Blocks of a lane that are fetched at once.
    private static let batch = 8

    /// A lane's blocks of the day that is open.
    private struct Lane {
        let name: LaneName
        /// The last place that was fetched.
        var after: Int64
        var fetched: ArraySlice<StoredRow> = []
        /// The next block, and when its first row was received.
        var next: (block: StoredBlock, received: UnixMilliseconds)?
    }

    private let files: RawRowFiles.Opener
    private let first: UnixMilliseconds
    private var days: ArraySlice<String>
    private var day = ""
    private var connection: ReadOnlyDatabase?
    private var lanes: [Lane] = []
    private var decoder = ColumnDecoder()

    /// - Parameter first: rows that were received before it may be left out.
    package init(_ files: RawRowFiles.Opener, from first: UnixMilliseconds) {
        self.files = files
        self.first = first
        let day = ReceivedDay.text(of: ReceivedDay.number(of: first))
        days = files.index.current.map(\.day).filter { $0 >= day }.sorted()[...]
    }

    /// The first day of which rows are kept; nil if there are none.
    package static func firstDay(_ files: RawRowFiles.Opener) -> UnixMilliseconds? {
        files.index.current.map(\.day).min().flatMap(ReceivedDay.number(named:)).map { $0 * ReceivedDay.milliseconds }
    }

    /// The next block; nil at the end.
    ///
    /// - Throws: `StorageError`, `WireError`.
    package func next() throws -> StoredBlock? {
        while true {
            for place in lanes.indices { try fill(place) }
            let place = lanes.indices.filter { lanes[$0].next != nil }
                .min { lanes[$0].next!.received < lanes[$1].next!.received }
            if let place {
                defer { lanes[place].next = nil }
                return lanes[place].next?.block
            }
            close()
            guard let day = days.popFirst() else { return nil }
            try open(day)
        }
    }

    /// Lets go of the day that is open.
    package func close() {
        if files.memory == nil { try? connection?.close() }
        (connection, lanes) = (nil, [])
    }

    private func open(_ day: String) throws {
        guard files.index.holds(day) else { return }
        let opened: ReadOnlyDatabase
        do { opened = try files.open(day) } catch {
            // Its time may have been over this very moment.
            guard files.index.holds(day) else { return }
            throw error
        }
        (self.day, connection) = (day, opened)
        let hour = ReceivedHour.number(of: first)
        let start = try opened.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT min(sequence) FROM block_hours WHERE last IS NULL OR last >= ?", arguments: [hour])
        }
        guard let start else { return close() }
        lanes = [LaneName.realtime, .batch].map { Lane(name: $0, after: start - 1) }
    }

    private func fill(_ place: Int) throws {
        while lanes[place].next == nil {
            if lanes[place].fetched.isEmpty {
                lanes[place].fetched = try fetch(lanes[place])[...]
                lanes[place].after = lanes[place].fetched.last?.sequence ?? .max
            }
            guard let row = lanes[place].fetched.popFirst() else { return }
            guard !row.isEmpty else { continue }
            let block = try row.opened(day: day, in: files.directory, files.sealer, &decoder)
            lanes[place].next = (block, block.columns[ColumnID.receivedAt]?.integer(0) ?? 0)
        }
    }

    private func fetch(_ lane: Lane) throws -> [StoredRow] {
        guard lane.after < .max, let connection else { return [] }
        let day = day, layout = files.layout
        // By their places: the index of positions would have all of the lane sorted.
        let sql = """
            SELECT \(StoredRow.columns) FROM \(StoredRow.from)
            WHERE b.sequence > ? AND +b.lane = ? AND b.kind IN (\(layout.kindList)) ORDER BY b.sequence LIMIT ?
            """
        return try connection.read { db in
            try Row.fetchAll(
                db.cachedStatement(sql: sql), arguments: [lane.after, Int64(lane.name.id), Self.batch]
            ).map { try StoredRow($0, day: day, layout) }
        }
    }
}

extension RawRowFiles.Opener {
    /// What a function makes of stored rows, which it reads anew where rows were erased meanwhile.
    ///
    /// - Throws: ``ExporterAPIError/busy`` if rows were erased again and again; what the function throws.
    package func unchanged<Value>(_ read: () throws -> Value) throws -> Value {
        for _ in 0..<3 {
            let before = rewritten.count
            let value = try read()
            if !rewritten.touch(1...max(1, index.last), since: before) { return value }
        }
        throw ExporterAPIError.busy
    }
}
