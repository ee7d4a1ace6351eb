import Lanes
import Models
import QoE
import SubjectRights
import Wire

@testable import RewardDispatcher

/// Feedback as ingest would put it on a lane.
struct Given: Hashable {
    var device: Int64 = 1
    var seq: Int64 = 1
    var receivedAt: UnixMilliseconds = 1_750_000_000_000
    /// Nil in rows of before that do not say.
    var capturedAt: UnixMilliseconds?
    var mnc: Int64? = 1
    var isMocked = false
    var flags: Int64?
    /// 1e-7 degrees.
    var latitude: Int64?
    var longitude: Int64?
    /// The prompt that it answers.
    var prompt: String?
    var isEmergency = false

    /// The identifier it gets, having none of its own.
    var record: RecordIdentifier { RecordIdentifier(device: UInt64(device), seq: seq) }

    static func columns(_ rows: [Given]) -> Columns {
        Columns(
            rowCount: rows.count,
            columns: [
                Column(id: ColumnID.seq, encoding: .delta, values: rows.map(\.seq)),
                Column(id: ColumnID.device, values: rows.map(\.device)),
                Column(id: ColumnID.receivedAt, encoding: .delta, values: rows.map(\.receivedAt)),
                Column(id: ColumnID.capturedAt, values: rows.map(\.capturedAt)),
                Column(id: ColumnID.flags, values: rows.map(\.flags)),
                Column(id: ColumnID.latitude, values: rows.map(\.latitude)),
                Column(id: ColumnID.longitude, values: rows.map(\.longitude)),
                Column(id: ColumnID.mcc, values: rows.map { $0.mnc == nil ? nil : 624 }),
                Column(id: ColumnID.mnc, values: rows.map(\.mnc)),
                Column(id: ColumnID.mockLocation, values: rows.map { $0.isMocked ? 1 : nil }),
                Column(id: ColumnID.trigger, values: rows.map { $0.isEmergency ? 2 : nil }),
                Column(id: ColumnID.rating, values: rows.map { _ in 4 }),
                Column(id: ColumnID.promptID, strings: rows.map { $0.prompt.map { Array($0.utf8) } }),
            ])
    }

    /// An order to erase a device; the request is named by it.
    static func order(
        _ number: UInt64, _ device: Int64, scope: ErasureScope = .everything, barriers: [Position] = []
    ) throws -> LaneBlock {
        let document = ErasureSubjectDocument(
            request: String(device), subject: "ab", scope: scope, barriers: barriers)
        let columns = try ErasureSubject.columns([ErasureSubject(device: UInt64(device), document: document)])
        return try block(number, .erasureSubject, columns, on: .privacy, at: 1_750_000_000_000)
    }

    static func block(_ number: UInt64, _ rows: [Given], on lane: LaneName = .batch) throws -> LaneBlock {
        try block(number, .feedback, columns(rows), on: lane, at: rows[0].receivedAt)
    }

    static func block(
        _ number: UInt64, _ kind: RecordKind, _ columns: Columns, on lane: LaneName, at time: UnixMilliseconds
    ) throws -> LaneBlock {
        var encoder = ColumnEncoder()
        let subjects = Set((columns[ColumnID.device]?.integers ?? []).map(UInt64.init(bitPattern:))).sorted()
        let encoded = try encoder.encode(columns)
        let header = BlockHeader(
            generation: 7, number: number, previous: number - 1, kind: kind.id, kindVersion: kind.version,
            rowCount: columns.rowCount, keptRows: columns.rowCount, keyID: 0, committedAt: time, subjects: subjects,
            rawLength: encoded.rawLength, crc32: encoded.crc32)
        return LaneBlock(lane: lane, block: Block(header: header, payload: encoded.payload))
    }
}
