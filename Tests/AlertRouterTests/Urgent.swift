import Lanes
import Models
import QoE
import Wire

@testable import AlertRouter

/// Urgent rows as ingest would put them on the lane.
struct Urgent {
    var device: Int64 = 1
    var receivedAt: UnixMilliseconds = 1_750_000_000_000
    var event: NetworkEvent?
    var rating: Int64?
    var trigger: Int64?
    var mnc: Int64? = 1
    var latitude: Int64? = 40_510_000
    var longitude: Int64? = 97_680_000
    var accuracy: Int64?
    /// The mobile network code of the network that served it, in the same country.
    var servedBy: Int64?
    var flags: RowFlags = []
    /// How long before its receipt it was captured, milliseconds; negative in the future.
    var age: Int64 = 0
    var isMocked = false

    /// The cell of the default position.
    static let cell = Quadkey(latitude: 40_510_000, longitude: 97_680_000)!
    static let key = AlarmKey(owner: Scope(PLMN(mcc: 624, mnc: 1)), subject: .cell(cell))

    static func drop(
        device: Int64 = 1, mnc: Int64? = 1, at time: UnixMilliseconds = 1_750_000_000_000
    ) -> Urgent {
        Urgent(device: device, receivedAt: time, event: .callDrop, mnc: mnc)
    }

    static func bad(device: Int64 = 1, at time: UnixMilliseconds = 1_750_000_000_000) -> Urgent {
        Urgent(device: device, receivedAt: time, rating: 1)
    }

    static func emergency(device: Int64 = 1, at time: UnixMilliseconds = 1_750_000_000_000) -> Urgent {
        Urgent(device: device, receivedAt: time, event: .emergency)
    }

    /// The record the core sees.
    var record: UrgentRecord { UrgentRows(Urgent.columns([self]), of: .raising(.feedback)).records(committedAt: 0)[0] }

    static func columns(_ rows: [Urgent]) -> Columns {
        Columns(
            rowCount: rows.count,
            columns: [
                Column(id: ColumnID.device, values: rows.map(\.device)),
                Column(id: ColumnID.receivedAt, encoding: .delta, values: rows.map(\.receivedAt)),
                Column(id: ColumnID.capturedAt, encoding: .delta, values: rows.map { $0.receivedAt - $0.age }),
                Column(id: ColumnID.mockLocation, values: rows.map { $0.isMocked ? 1 : nil }),
                Column(id: ColumnID.event, values: rows.map { $0.event?.rawValue }),
                Column(id: ColumnID.rating, values: rows.map(\.rating)),
                Column(id: ColumnID.trigger, values: rows.map(\.trigger)),
                Column(id: ColumnID.mcc, values: rows.map { $0.mnc == nil ? nil : 624 }),
                Column(id: ColumnID.mnc, values: rows.map(\.mnc)),
                Column(id: ColumnID.servingMCC, values: rows.map { $0.servedBy == nil ? nil : 624 }),
                Column(id: ColumnID.servingMNC, values: rows.map(\.servedBy)),
                Column(id: ColumnID.latitude, encoding: .delta, values: rows.map(\.latitude)),
                Column(id: ColumnID.longitude, encoding: .delta, values: rows.map(\.longitude)),
                Column(id: ColumnID.accuracy, values: rows.map(\.accuracy)),
                Column(id: ColumnID.flags, values: rows.map { $0.flags.isEmpty ? nil : $0.flags.rawValue }),
            ])
    }

    static func block(_ number: UInt64, _ rows: [Urgent], kind: RecordKind = .feedback) throws -> LaneBlock {
        try LaneBlock(
            .realtime, number, kind, columns(rows), committedAt: rows[0].receivedAt,
            subjects: Set(rows.map { UInt64($0.device) }))
    }
}

extension Programmes {
    /// Mobile QoE, but one record raises an alarm of whatever it reports: what the router has to do for any programme.
    static let raisingAll: Programmes = {
        do { return try Programmes([.raisingAll]) } catch { preconditionFailure("\(error)") }
    }()
}

extension Programme {
    static let raisingAll = Programme(
        number: qoe.number, name: qoe.name, kinds: qoe.kinds.map(ProgrammeKind.raising), metrics: qoe.metrics,
        strata: qoe.strata)
}

extension ProgrammeKind {
    static func raising(_ kind: ProgrammeKind) -> ProgrammeKind {
        ProgrammeKind(
            .raising(kind.kind), path: kind.path, description: kind.description, scope: kind.scope,
            subject: kind.subject, marks: kind.marks, isRealtime: kind.isRealtime, isRawRow: kind.isRawRow,
            isCounted: kind.isCounted, isRewarded: kind.isRewarded, held: kind.held)
    }
}

extension RecordKind {
    fileprivate static func raising(_ kind: RecordKind) -> RecordKind {
        RecordKind(
            id: kind.id, name: kind.name, version: kind.version, fields: kind.fields, serverFields: kind.serverFields,
            required: kind.required, spellings: kind.spellings, plausibility: kind.plausibility,
            problems: kind.problems.map(\.raising), consents: kind.consents)
    }
}

extension AlarmProblem {
    fileprivate var raising: AlarmProblem {
        AlarmProblem(
            number, rule: rule, severity: severity, type: type, cause: cause, text: text, french: french,
            lateness: lateness, when: conditions)
    }
}

extension LaneBlock {
    /// A block as its writer would send it, of generation 7.
    init(
        _ lane: LaneName, _ number: UInt64, _ kind: RecordKind, _ columns: Columns,
        committedAt: UnixMilliseconds = 1_750_000_000_000, subjects: Set<UInt64> = []
    ) throws {
        var encoder = ColumnEncoder()
        let encoded = try encoder.encode(columns)
        let header = BlockHeader(
            generation: 7, number: number, previous: number - 1, kind: kind.id, kindVersion: kind.version,
            rowCount: columns.rowCount, keptRows: columns.rowCount, keyID: 0, committedAt: committedAt,
            subjects: subjects.sorted(), rawLength: encoded.rawLength, crc32: encoded.crc32)
        self.init(lane: lane, block: Block(header: header, payload: encoded.payload))
    }
}
