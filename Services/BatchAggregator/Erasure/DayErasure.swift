import AggregatorCells
import AggregatorDeriving
import AggregatorFolding
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Wire

/// What an erasure does in one local day, slice by slice.
///
///     search   which blocks have rows of the devices
///     spare    where devices of which only a part is erased keep rows
///     take     note rows of some blocks; then, in the next slice: out of the day file and out of the cells
///     recount  the devices of cells that have become few enough that what each contributed is told (UncountedCells)
final class DayErasure {
    private enum Stage { case search, spare, take, recount, done }

    let day: Int64
    private let filter: ErasureFilter
    private let devices: [UInt32]
    private let partial: [UInt32]
    private let open: OpenRowDirectory
    private let cells: CellSubtraction
    private let bounds: ErasureBounds
    private var stage = Stage.search
    private var place = BlockKey.none
    private var found: [BlockKey] = []
    private var spared: [BlockKey] = []
    private var sparedRows: FoldRows
    private var kept = KeptDevices()
    private var counted: DeviceRecount?
    private var decoder = ColumnDecoder()
    private var encoder = ColumnEncoder()

    init(_ day: Int64, _ filter: ErasureFilter, open: OpenRowDirectory, cells: CellSubtraction, bounds: ErasureBounds) {
        self.day = day
        self.filter = filter
        sparedRows = cells.noRows()
        self.open = open
        self.cells = cells
        self.bounds = bounds
        devices = filter.devices.compactMap(UInt32.init(exactly:)).sorted()
        partial = devices.filter { !filter.takesEverything(of: UInt64($0)) }
    }

    var isDone: Bool { stage == .done }

    /// True if no fold may begin: rows are noted, or what devices keep was looked up.
    private(set) var holdsFolds = false

    /// One bounded slice inside the caller's transaction; returns the rows that went, by device.
    func proceed(_ db: Database, _ emit: inout Emission) throws -> [UInt64: Int] {
        var removed: [UInt64: Int] = [:]
        // Asked for in every slice: meanwhile other days may have been opened, and this one closed.
        let file = try open.file(day)
        switch stage {
        case .search: try search(file)
        case .spare: try spare(file, try FoldLedger.folded(db))
        case .take: removed = try take(file, db, &emit)
        case .recount: try recount(file, db, &emit)
        case .done: break
        }
        holdsFolds = try !isDone && (!partial.isEmpty || ErasingRows.day(db) != nil || UncountedCells.day(db) != nil)
        return removed
    }

    private func search(_ file: ServiceDatabase) throws {
        var unknown: [BlockKey] = []
        let last = try file.read { db in
            try OpenRowFile.forEachBlock(after: place, limit: bounds.searched, db) { key, subjects in
                if subjects.isEmpty { unknown.append(key) } else { try find(key, subjects, file) }
                return unknown.count < bounds.decoded
            }
        }
        if !unknown.isEmpty { try file.write { db in for key in unknown { try learn(key, file, db) } } }
        if let last { return place = last }
        spared = partial.isEmpty ? [] : found
        stage = .spare
    }

    private func find(_ key: BlockKey, _ subjects: UnsafeRawBufferPointer, _ file: ServiceDatabase) throws {
        guard let isFound = DeviceSet.holds(any: devices, subjects) else {
            throw AggregatorError.openRowsCorrupt("devices of block \(key.block) in \(file.path)")
        }
        if isFound { found.append(key) }
    }

    /// Looks into a block of an older program, and remembers its devices.
    private func learn(_ key: BlockKey, _ file: ServiceDatabase, _ db: Database) throws {
        guard let rows = try OpenRowFile.rows(of: key, db, &decoder) else { return }
        let subjects = OpenRowFile.subjects(of: rows)
        try OpenRowFile.setSubjects(subjects, of: key, db)
        try subjects.withUnsafeBytes { try find(key, $0, file) }
    }

    /// Gathers the folded rows that devices keep of which only a part is erased.
    private func spare(_ file: ServiceDatabase, _ folded: [BlockRange]) throws {
        let blocks = spared.suffix(bounds.decoded)
        spared.removeLast(blocks.count)
        try file.read { db in
            for key in blocks where folded.contains(where: { $0.contains(key) }) {
                guard let rows = try OpenRowFile.rows(of: key, db, &decoder) else { continue }
                let stays = try filter.sift(openRows: rows).spared
                try sparedRows.add(rows.gathered(stays))
            }
        }
        guard spared.isEmpty else { return }
        kept = try cells.kept(sparedRows, day: day)
        sparedRows = cells.noRows()
        stage = .take
    }

    private func take(_ file: ServiceDatabase, _ db: Database, _ emit: inout Emission) throws -> [UInt64: Int] {
        let noted = try ErasingRows.all(db, &decoder)
        guard noted.isEmpty else { return try erase(noted, file, db, &emit) }
        if found.isEmpty { (stage, place) = (.recount, .none) } else { try note(file, db) }
        return [:]
    }

    /// Notes the rows of some blocks that go.
    private func note(_ file: ServiceDatabase, _ db: Database) throws {
        let folded = try FoldLedger.folded(db)
        var room = bounds.rows, blocks = bounds.decoded
        try file.read { day in
            while let key = found.last, room > 0, blocks > 0 {
                blocks -= 1
                guard let rows = try OpenRowFile.rows(of: key, day, &decoder) else { found.removeLast(); continue }
                let taken = try filter.sift(openRows: rows).taken
                let now = Array(taken.prefix(room))
                room -= now.count
                // What there was no room for is taken when these are gone.
                if now.count == taken.count { found.removeLast() } else { blocks = 0 }
                guard !now.isEmpty else { continue }
                let isFolded = folded.contains { $0.contains(key) }
                try ErasingRows(
                    day: self.day, key: key, rowCount: rows.rowCount, state: isFolded ? .folded : .waiting, taken: now,
                    rows: rows.gathered(now)
                ).insert(db, &encoder)
            }
        }
    }

    private func erase(_ noted: [ErasingRows], _ file: ServiceDatabase, _ db: Database, _ emit: inout Emission) throws
        -> [UInt64: Int]
    {
        try ErasingRows.takeOut(noted, of: file)
        try cells.subtract(noted, day: day, kept, db, &emit)
        try ErasingRows.removeAll(db)
        var removed: [UInt64: Int] = [:]
        for rows in noted {
            for device in rows.rows[OpenRowColumn.device]?.integers ?? [] {
                removed[UInt64(bitPattern: device), default: 0] += 1
            }
        }
        return removed
    }
}

extension DayErasure {
    /// Goes through the next blocks of the day, or writes what was counted.
    private func recount(_ file: ServiceDatabase, _ db: Database, _ emit: inout Emission) throws {
        guard var counted = try self.counted ?? cells.recount(db) else { return stage = .done }
        let folded = try FoldLedger.folded(db)
        var blocks: [BlockKey] = []
        let last = try file.read { day in
            let last = try OpenRowFile.forEachBlock(after: place, limit: bounds.searched, day) { key, subjects in
                guard folded.contains(where: { $0.contains(key) }) else { return true }
                if try subjects.isEmpty || holds(counted.devices, subjects, file, key) { blocks.append(key) }
                return blocks.count < bounds.decoded
            }
            var rows = cells.noRows()
            for key in blocks {
                guard let table = try OpenRowFile.rows(of: key, day, &decoder) else { continue }
                try rows.add(table.gathered(Self.rows(of: counted.devices, table)))
            }
            try cells.add(rows, day: self.day, to: &counted)
            return last
        }
        self.counted = counted
        if let last { return place = last }
        try cells.finish(counted, db, &emit)
        (self.counted, place) = (nil, .none)
    }

    private func holds(
        _ devices: [UInt32], _ subjects: UnsafeRawBufferPointer, _ file: ServiceDatabase, _ key: BlockKey
    ) throws -> Bool {
        guard let holds = DeviceSet.holds(any: devices, subjects) else {
            throw AggregatorError.openRowsCorrupt("devices of block \(key.block) in \(file.path)")
        }
        return holds
    }

    private static func rows(of devices: [UInt32], _ rows: Columns) throws -> [Int32] {
        let devices = Set(devices), columns = try OpenRowColumns(rows)
        return try (0..<rows.rowCount).filter { try devices.contains(columns.device($0)) }.map { Int32($0) }
    }
}

extension ErasureFilter {
    /// Open rows that go, and those that stay of devices of which others go; both ascending.
    func sift(openRows rows: Columns) throws -> (taken: [Int32], spared: [Int32]) {
        var taken: [Int32] = [], spared: [Int32] = []
        let columns = try OpenRowColumns(rows)
        for row in 0..<rows.rowCount {
            let device = UInt64(try columns.device(row))
            guard devices.contains(device) else { continue }
            if takes(device: device, capturedAt: columns.capturedAt(row), cell: columns.cell(row)) {
                taken.append(Int32(row))
            } else {
                spared.append(Int32(row))
            }
        }
        return (taken, spared)
    }
}
