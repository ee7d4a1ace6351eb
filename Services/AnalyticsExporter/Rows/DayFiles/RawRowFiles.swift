internal import Foundation
package import Lanes
internal import Models
internal import QoE
public import Storage
internal import Wire

/// The day files of raw rows and the one connection that writes each of them.
///
/// Confined to the thread of the effect loop; queries use an ``Opener``. Rows are in their file, fsynced, before
/// ``store(_:)`` returns; only then may the cursor move. What is stored twice is there once.
public final class RawRowFiles {
    /// Files that are open for writing at once; a run of late blocks may need more than today's and yesterday's.
    static let openLimit = 4
    /// Stands for a directory: each day's database is in memory, for simulations.
    public static let inMemory = ":memory:"

    /// What is kept as it came, and what of it is shown.
    package let layout: RawRowLayout
    let directory: String
    let options: DatabaseOptions
    let sealer: BlockSealer?
    let index = RawRowIndex()
    let rewritten = RecentChanges()
    /// Raw rows that were stored by way of this value: those that were new, without outcomes of prompts.
    package private(set) var storedRows: Int64 = 0
    private var maker: RawPartMaker
    var decoder = ColumnDecoder()
    /// Compresses better than ingest does, so that what remains of a block fits where the whole stood.
    var rewriter = ColumnEncoder(.small)
    private var openFiles: [(day: String, database: ServiceDatabase)] = []
    private var next: Int64 = 1

    /// Opens the directory (it must exist) and looks how far the order of arrival has come.
    ///
    /// - Parameters:
    ///   - layout: of the programmes whose rows come.
    ///   - sealer: nil leaves payloads clear at rest.
    ///   - leap: a place that it has come to in any case.
    public init(
        _ layout: RawRowLayout, directory: String, options: DatabaseOptions = DatabaseOptions(), sealer: BlockSealer?,
        leap: Int64 = 0
    ) throws {
        self.layout = layout
        maker = RawPartMaker(layout)
        self.directory = directory
        self.options = options
        self.sealer = sealer
        guard directory != Self.inMemory else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        where name.hasSuffix(".sqlite") {
            let day = String(name.dropLast(".sqlite".count))
            guard ReceivedDay.isName(day) else { continue }
            try look(into: day)
        }
        next = max(index.last, leap) + 1
    }

    /// How queries reach the files; usable from any thread.
    package var opener: Opener {
        Opener(
            layout: layout, directory: directory, options: options, sealer: sealer, index: index, rewritten: rewritten,
            memory: directory == Self.inMemory ? self : nil)
    }

    /// Stores the rows of blocks, each under the day it was received on.
    ///
    /// - Returns: the hours in which rows of each part were received, of those too that were there already.
    @discardableResult
    package func store(_ blocks: [LaneBlock]) throws -> [ClosedRange<Int64>] {
        var parts: [Int64: [RawPart]] = [:]
        for block in blocks where layout.isKept(block.block.header.kind) {
            IdleTurn.giveWay()
            for part in try maker.parts(of: block.block, lane: block.lane) { parts[part.day, default: []].append(part) }
        }
        var added: [RawRowIndex.Span] = []
        for (day, parts) in parts.sorted(by: { $0.key < $1.key }) {
            if let span = try write(parts, day: ReceivedDay.text(of: day)) { added.append(span) }
        }
        index.add(added)
        return parts.values.joined().map(\.hours)
    }

    /// Closes the files.
    public func close() throws {
        for file in openFiles { try file.database.close() }
        openFiles = []
    }

    /// Closes one of them, if it is open.
    func closeFile(of day: String) throws {
        guard let place = openFiles.firstIndex(where: { $0.day == day }) else { return }
        try openFiles.remove(at: place).database.close()
    }

    private func write(_ parts: [RawPart], day: String) throws -> RawRowIndex.Span? {
        let sealed = try parts.map { part in
            IdleTurn.giveWay()
            return try sealer?.seal(part.payload, additional: part.seal) ?? part.payload
        }
        let first = next
        var last = first, rows: Int64 = 0
        try database(of: day).write { db in
            for (part, payload) in zip(parts, sealed) {
                IdleTurn.giveWay()
                if try DayFile.insert(part, sequence: last, payload: payload, keyID: sealer?.keyID ?? 0, in: db) {
                    last += 1
                    if layout.isShown(part.header.kind) { rows += Int64(part.header.rowCount) }
                }
            }
        }
        next = last
        storedRows += rows
        return last > first ? RawRowIndex.Span(day: day, sequences: first...last - 1) : nil
    }

    package func database(of day: String) throws -> ServiceDatabase {
        if let place = openFiles.lastIndex(where: { $0.day == day }) {
            if place < openFiles.count - 1 { openFiles.append(openFiles.remove(at: place)) }
            return openFiles.last!.database
        }
        let isInMemory = directory == Self.inMemory
        if !isInMemory, openFiles.count >= Self.openLimit { try openFiles.removeFirst().database.close() }
        let path = isInMemory ? Self.inMemory : Self.path(of: day, in: directory)
        let database = try ServiceDatabase(path: path, migrations: DayFile.migrations, options: options)
        openFiles.append((day, database))
        return database
    }

    /// Raw rows of the blocks behind a place of the order of arrival, erased ones too.
    package func rows(after sequence: Int64) throws -> Int64 {
        try index.current.reduce(0) { sum, span in
            guard span.sequences.upperBound > sequence else { return sum }
            return try sum + database(of: span.day).read { try DayFile.rows(after: sequence, layout, $0) }
        }
    }

    /// The last place of the order of arrival.
    package var last: Int64 { next - 1 }

    /// Goes on behind a place, whether its file is still there or not: a place is never given out again.
    package func goOn(after place: Int64) { next = max(next, place + 1) }

    static func path(of day: String, in directory: String) -> String { "\(directory)/\(day).sqlite" }

    private func look(into day: String) throws {
        // A file whose creation was cut off by a crash has no table yet: opening it for writing finishes it.
        let sequences = try database(of: day).read { try DayFile.sequences($0) }
        if let sequences { index.add([RawRowIndex.Span(day: day, sequences: sequences)]) }
    }
}

/// How whole days go.
extension RawRowFiles {
    /// Unlinks a day's file and those beside it; they are gone from the disk when it returns. Downloads that are at it end it
    /// where they are. A day without a file changes nothing.
    ///
    /// - Throws: `StorageError` naming the file.
    package func retire(_ day: String) throws {
        // Whoever reads asks the index whether a day is there before it says that its file cannot be opened.
        index.remove(day)
        try closeFile(of: day)
        guard directory != Self.inMemory else { return }
        try ServiceDatabase.removeFiles(at: Self.path(of: day, in: directory))
    }

    /// Bytes of a day's file.
    package func bytes(of day: String) -> Int {
        guard directory != Self.inMemory else { return 0 }
        let attributes = try? FileManager.default.attributesOfItem(atPath: Self.path(of: day, in: directory))
        return attributes?[.size] as? Int ?? 0
    }
}
