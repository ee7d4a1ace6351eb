internal import GRDB
internal import Models
package import Storage
internal import Wire

/// Reads stored blocks in the order of their arrival, over all day files, up to where it had come at the beginning.
///
/// Confined to one thread. Holds no transaction between calls: each fetches a few blocks.
package final class RawRowReader {
    /// Blocks that are fetched at once.
    static let batch = 8

    let files: RawRowFiles.Opener
    private let spans: [RawRowIndex.Span]
    private var ahead: ArraySlice<RawRowIndex.Span> = []
    private var open: [OpenDay] = []
    /// Place of the next block.
    private(set) var position: Int64
    private var decoder = ColumnDecoder()
    /// How many blocks had been rewritten before any of those that are fetched was.
    private var rewritten: Int

    /// - Parameter spans: by their first place.
    init(files: RawRowFiles.Opener, spans: [RawRowIndex.Span], after cursor: RawRowCursor) {
        self.files = files
        // The block of the cursor may have rows left.
        position = max(cursor.sequence, 1)
        self.spans = spans
        rewritten = files.rewritten.count
        ahead = spans.filter { [position] in $0.sequences.upperBound >= position }[...]
    }

    /// Whether nothing is left to read.
    var isAtEnd: Bool { ahead.isEmpty && open.isEmpty }

    /// The next block that may hold rows of the query, nil at the end.
    func next(_ query: RawRowQuery) throws -> StoredBlock? {
        try dropRetired()
        try dropRewritten()
        while true {
            try openDays(query)
            guard let place = open.indices.min(by: { open[$0].first < open[$1].first }) else { return nil }
            let row = open[place].takeFirst()
            position = row.sequence + 1
            let day = open[place].day
            if open[place].isEmpty { try refill(place, query) }
            if row.isEmpty || !row.mayBeIn(query.networks) { continue }
            return try row.opened(day: day, in: files.directory, files.sealer, &decoder)
        }
    }

    /// Goes back, or on, to a place: everything from there is read anew.
    func move(to place: Int64) throws {
        rewritten = files.rewritten.count
        position = place
        if files.memory == nil { for day in open { try day.connection.close() } }
        open = []
        ahead = spans.filter { $0.sequences.upperBound >= place }[...]
    }

    /// Lets go of fetched blocks if rows were erased in one of them.
    private func dropRewritten() throws {
        guard let last = open.compactMap(\.fetched).max(), last >= position else { return }
        if files.rewritten.touch(position...last, since: rewritten) { try move(to: position) }
    }

    /// Ends the days whose files have gone since: nothing of them is handed out any more.
    private func dropRetired() throws {
        for day in open where !files.index.holds(day.day) {
            if files.memory == nil { try day.connection.close() }
        }
        open.removeAll { !files.index.holds($0.day) }
    }

    /// Opens every day whose blocks may come before those of the days that are open.
    private func openDays(_ query: RawRowQuery) throws {
        while let span = ahead.first, open.isEmpty || span.sequences.lowerBound <= open.map(\.first).min()! {
            ahead.removeFirst()
            guard let connection = try connection(to: span.day) else { continue }
            let start = max(position, span.sequences.lowerBound)
            open.append(OpenDay(files.layout, span: span, connection: connection, from: start))
            try refill(open.count - 1, query)
        }
    }

    /// Nil for a day whose file has gone.
    private func connection(to day: String) throws -> ReadOnlyDatabase? {
        guard files.index.holds(day) else { return nil }
        do { return try files.open(day) } catch {
            if files.index.holds(day) { throw error }
            return nil
        }
    }

    private func refill(_ place: Int, _ query: RawRowQuery) throws {
        if try !open[place].fetch(query) {
            let day = open.remove(at: place)
            if files.memory == nil { try day.connection.close() }
        }
    }
}

extension RawRowFiles {
    /// What queries need to read day files through connections of their own.
    ///
    /// `@unchecked Sendable`: all parts are constants of sendable types except `memory`, which only simulations set,
    /// and they use one thread.
    package struct Opener: @unchecked Sendable {
        package let layout: RawRowLayout
        package let directory: String
        let options: DatabaseOptions
        package let sealer: BlockSealer?
        package let index: RawRowIndex
        let rewritten: RecentChanges
        package let memory: RawRowFiles?

        /// A reader of all rows that are there now, after a cursor; confined to one thread from then on.
        package func reader(after cursor: RawRowCursor) throws -> RawRowReader {
            RawRowReader(files: self, spans: index.current, after: cursor)
        }

        /// A reading connection to one day.
        package func open(_ day: String) throws -> ReadOnlyDatabase {
            if let memory { return try memory.database(of: day).reader() }
            return try ReadOnlyDatabase(path: RawRowFiles.path(of: day, in: directory), options: options)
        }
    }
}
