internal import AggregatorCells
internal import AggregatorDeriving
internal import AggregatorFolding
public import Foundation
internal import GRDB
public import Models
public import Storage
internal import Wire

/// The canonical text of all cells: a line each, sorted by bytes, the same for the same set of rows whatever their order.
///
/// Open rows that wait to be folded are counted in, so that the text is exact up to the cursor.
public struct CellDump {
    private let openDirectory: String
    private var days: LocalDays
    private var pending = PendingCells()
    private let reader: FoldReader
    private let rules: CountingRules
    private var slice: RowSlice
    private var pyramid = CellPyramid()
    private var bucket: CellBucket?
    /// Cells of the bucket that rows wait for.
    private var waiting: [CellKey: CellSum] = [:]
    /// Lines of the bucket.
    private var lines: [String] = []
    private let text: CellLines
    private let print: ([UInt8]) throws -> Void

    /// Prints the cells of a database, also while its service runs.
    ///
    /// - Parameters:
    ///   - programmes: whose rows count.
    ///   - openDirectory: the day files.
    ///   - print: takes whole lines, each ended by a line feed.
    public static func write(
        _ programmes: Programmes, _ database: ReadOnlyDatabase, openDirectory: String, timeZone: TimeZone,
        to print: ([UInt8]) throws -> Void
    ) throws {
        try write(
            programmes, database, openDirectory: openDirectory, timeZone: timeZone, passBytes: SliceSize.passBytes,
            to: print)
    }

    /// - Parameter passBytes: most bytes of records in memory, ``FoldReader``.
    static func write(
        _ programmes: Programmes, _ database: ReadOnlyDatabase, openDirectory: String, timeZone: TimeZone,
        passBytes: Int,
        to print: ([UInt8]) throws -> Void
    ) throws {
        let rules = CountingRules(programmes)
        try withoutActuallyEscaping(print) { print in
            var dump = CellDump(
                openDirectory: openDirectory, days: LocalDays(timeZone),
                reader: FoldReader(
                    TwoThreads("open rows") { OpenRowMaker(rules, timeZone: timeZone) }, rules, limit: passBytes),
                print: print)
            try database.read { try dump.run($0) }
        }
    }

    private init(
        openDirectory: String, days: LocalDays, reader: FoldReader, print: @escaping ([UInt8]) throws -> Void
    ) {
        self.openDirectory = openDirectory
        self.days = days
        self.reader = reader
        rules = reader.rules
        text = CellLines(rules.programmes)
        slice = RowSlice(rules)
        self.print = print
    }

    private mutating func run(_ db: Database) throws {
        let schema = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard schema >= AggregatorSchema.migrations.count else { throw AggregatorError.olderHome }
        guard try !FoldLedger.isAmidOlderFold(db) else { throw AggregatorError.olderFold }
        pending.sealed = try SealingState.read(db).through
        try addPending(db)
        let columns = "SELECT key, samples, device_count, devices, histograms, source FROM cells"
        let select = try PreparedStatement(db, columns + " ORDER BY key")
        let find = try PreparedStatement(db, columns + " WHERE key = ?")
        while try select.step() {
            let cell = try CellStoreKey.read(select.bytes(0))
            if bucket != CellBucket(cell) { try begin(CellBucket(cell)) }
            try add(cell, select, find)
        }
        try begin(nil)
    }

    /// Ends the bucket before, prints buckets that exist only among pending cells, and begins the next.
    private mutating func begin(_ next: CellBucket?) throws {
        try flush()
        while let first = pending.first, next.map({ first < $0 }) ?? true {
            waiting = pending.take(first)
            try flush()
        }
        bucket = next
        waiting = next.map { pending.take($0) } ?? [:]
    }

    /// Adds a stored cell; the figures of a reference are those of its source.
    private mutating func add(_ cell: CellKey, _ row: PreparedStatement, _ find: PreparedStatement) throws {
        let source = row.bytes(5)
        if source.isEmpty { return try add(cell, row) }
        find.bind(source, 1)
        defer { find.reset() }
        guard try find.step(), find.bytes(5).isEmpty else {
            throw AggregatorError.cellCorrupt("\(cell) refers to a cell without figures")
        }
        try add(cell, find)
    }

    private mutating func add(_ cell: CellKey, _ row: PreparedStatement) throws {
        guard var histograms = CellHistograms.decode(row.bytes(4)) else { throw AggregatorError.cellCorrupt("\(cell)") }
        var samples = row.integer(1), devices = Int(row.integer(2))
        if let sum = waiting.removeValue(forKey: cell) {
            var union = CellDevices()
            let figures = StoredFigures.Lent(samples: samples, devices: row.bytes(3), histograms: row.bytes(4))
            guard union.add(sum, to: figures) else { throw AggregatorError.cellCorrupt("\(cell)") }
            devices = union.count
            samples += sum.samples
            histograms.merge(CellHistograms(sum.entries))
        }
        lines.append(text.line(cell, samples: samples, devices: devices, histograms))
    }

    /// Prints the lines of one bucket; buckets come in the order of their text.
    private mutating func flush() throws {
        for (cell, sum) in waiting { append(cell, sum) }
        waiting = [:]
        lines.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for line in lines { try print(Array(line.utf8) + [0x0a]) }
        lines.removeAll()
    }

    private mutating func append(_ cell: CellKey, _ sum: CellSum) {
        lines.append(
            text.line(cell, samples: sum.samples, devices: sum.devices.count, CellHistograms(sum.entries)))
    }

    private mutating func addPending(_ db: Database) throws {
        let folding = try FoldLedger.folding(db)
        for day in try FoldLedger.days(db) { try add(day, folding) }
        let waiting = try FoldLedger.waiting(db)
        for day in try FoldLedger.waitingDays(db) { try add(FoldingDay(day: day), waiting) }
    }

    private mutating func add(_ day: FoldingDay, _ ranges: [BlockRange]) throws {
        let file = try ReadOnlyDatabase(path: "\(openDirectory)/\(days.name(of: day.day)).sqlite")
        defer { try? file.close() }
        var first: UInt64? = day.first
        while let next = first {
            var rows = try file.read { try reader.read(ranges, from: next, $0) }
            rows.cut(parts: 1)
            if let part = rows.takePart() {
                slice.load(part)
                try pyramid.add(&slice, day: day.day, to: &pending)
            }
            first = rows.range.last == .max ? nil : rows.range.last + 1
        }
    }
}
