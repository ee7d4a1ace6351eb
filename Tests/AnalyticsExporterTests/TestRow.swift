import Lanes
import Models
import QoE
import Wire

/// A raw row as a test thinks of it: stored units by column.
struct TestRow {
    var kind = RecordKind.report
    var device: Int64 = 1
    var received: Int64
    var captured: Int64
    var seq: Int64? = nil
    var id: RecordIdentifier? = nil
    var values: [UInt8: Int64] = [:]
    var comment: String? = nil
}

/// Makes blocks of lanes as ingest does, numbered from 1.
struct TestLane {
    let lane: LaneName
    let generation: UInt64
    private(set) var number: UInt64 = 0
    private var encoder = ColumnEncoder()

    init(_ lane: LaneName, generation: UInt64 = 7) {
        self.lane = lane
        self.generation = generation
    }

    /// Goes on behind a block of another writer.
    init(after block: LaneBlock) {
        self.init(block.lane, generation: block.block.header.generation)
        number = block.block.header.number
    }

    mutating func block(_ rows: [TestRow]) throws -> LaneBlock {
        var columns: [Wire.Column] = []
        func add(_ id: UInt8, _ values: [Int64?]) {
            if values.contains(where: { $0 != nil }) { columns.append(Column(id: id, values: values)) }
        }
        add(ColumnID.device, rows.map(\.device))
        add(ColumnID.receivedAt, rows.map(\.received))
        add(ColumnID.capturedAt, rows.map(\.captured))
        add(ColumnID.seq, rows.map(\.seq))
        for id in Set(rows.flatMap(\.values.keys)) { add(id, rows.map { $0.values[id] }) }
        if rows.contains(where: { $0.comment != nil }) {
            columns.append(Column(id: ColumnID.comment, strings: rows.map { $0.comment.map { Array($0.utf8) } }))
        }
        if rows.contains(where: { $0.id != nil }) {
            var presence = RowSet.empty(0)
            var bytes: [UInt8] = []
            for row in rows {
                presence.append(row.id != nil)
                for word in [row.id?.high ?? 0, row.id?.low ?? 0] {
                    for shift in stride(from: 56, through: 0, by: -8) {
                        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
                    }
                }
            }
            columns.append(Column(id: ColumnID.id, presence: presence, fixed16: bytes))
        }
        return try block(kind: rows.first?.kind ?? .report, Columns(rowCount: rows.count, columns: columns))
    }

    /// - Parameter version: of the kind, if not the present one.
    mutating func block(kind: RecordKind, version: UInt8? = nil, _ columns: Columns) throws -> LaneBlock {
        number += 1
        let encoded = try encoder.encode(columns)
        let devices = columns[ColumnID.device]?.integers ?? []
        let header = BlockHeader(
            generation: generation, number: number, previous: number - 1, kind: kind.id,
            kindVersion: version ?? kind.version,
            rowCount: encoded.rowCount, keptRows: encoded.rowCount, keyID: 0, committedAt: 0,
            subjects: Set(devices.map { UInt64($0) }).sorted(), rawLength: encoded.rawLength, crc32: encoded.crc32)
        return LaneBlock(lane: lane, block: Block(header: header, payload: encoded.payload))
    }
}

/// Cells and alarms as the aggregator and the router send them.
extension TestLane {
    mutating func cells(_ cells: [(key: CellKey, samples: Int64?, devices: Int64, histograms: CellHistograms)]) throws
        -> LaneBlock
    {
        let keys = cells.map(\.key)
        let columns = [
            Column(id: ColumnID.key, strings: keys.map(\.bytes)),
            Column(id: ColumnID.samples, values: cells.map(\.samples)),
            Column(id: ColumnID.devices, values: cells.map(\.devices)),
            Column(id: ColumnID.histograms, strings: cells.map { $0.histograms.encoded() }),
        ]
        return try block(kind: .cell, Columns(rowCount: cells.count, columns: columns))
    }

    /// Cells of which some have the figures of another.
    ///
    /// - Parameter version: of the kind, if not the present one: up to 2 keys had another form.
    mutating func cells(_ cells: [(key: CellKey, state: TestCellState)], version: UInt8 = RecordKind.cell.version)
        throws
        -> LaneBlock
    {
        let bytes = { (key: CellKey) in version > 2 ? key.bytes : Self.version1(key) }
        typealias Figures = (samples: Int64, devices: Int64, histograms: [UInt8])
        let figures = cells.map { cell -> Figures? in
            guard case .own(let samples, let devices, let histograms) = cell.state else { return nil }
            return (samples, devices, histograms.encoded())
        }
        let sources = cells.map { cell -> [UInt8]? in
            guard case .reference(let source) = cell.state else { return nil }
            return bytes(source)
        }
        let columns = [
            Column(id: ColumnID.key, strings: cells.map { bytes($0.key) }),
            Column(id: ColumnID.samples, values: figures.map { $0?.samples }),
            Column(id: ColumnID.devices, values: figures.map { $0?.devices }),
            Column(id: ColumnID.histograms, strings: figures.map { $0?.histograms }),
            Column(id: ColumnID.source, strings: sources),
        ]
        return try block(kind: .cell, version: version, Columns(rowCount: cells.count, columns: columns))
    }

    /// A cell's key in its first form: bucket seconds 4, start 8, level 1, code 4, plmn 4, technology 1.
    static func version1(_ key: CellKey) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
        return bytes(key.bucketSeconds) + bytes(key.bucketStart) + [UInt8(key.quadkey?.level ?? 0)]
            + bytes(UInt32(key.quadkey?.code ?? 0)) + bytes(UInt32(key.plmn.rawValue))
            + [UInt8(key.technology.rawValue)]
    }

    mutating func alarms(_ alarms: [(id: String, document: String?)]) throws -> LaneBlock {
        try documents(alarms.map { (key: $0.id, document: $0.document) }, .alarm)
    }

    /// An alarm with the networks that served its SIMs.
    mutating func alarm(_ id: String, _ document: String, serving: String?) throws -> LaneBlock {
        try block(
            kind: .alarm,
            Columns(
                rowCount: 1,
                columns: [
                    Column(id: ColumnID.key, strings: [Array(id.utf8)]),
                    Column(id: ColumnID.document, strings: [Array(document.utf8)]),
                    Column(id: ColumnID.networks, strings: [serving.map { Array($0.utf8) }]),
                ]))
    }

    mutating func documents(_ records: [(key: String, document: String?)], _ kind: RecordKind) throws -> LaneBlock {
        try block(
            kind: kind,
            Columns(
                rowCount: records.count,
                columns: [
                    Column(id: ColumnID.key, strings: records.map { Array($0.key.utf8) }),
                    Column(id: ColumnID.document, strings: records.map { $0.document.map { Array($0.utf8) } }),
                ]))
    }
}

/// What a block says of a cell.
enum TestCellState {
    case own(samples: Int64, devices: Int64, CellHistograms)
    case reference(CellKey)
    case gone
}
