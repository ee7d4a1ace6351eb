internal import Models
internal import Wire

/// What decides about a record's reward.
struct RewardedRecord: Equatable {
    /// Name of its kind.
    var kind: String
    /// The device's ordinal.
    var device: UInt64
    var record: RecordIdentifier
    var receivedAt: UnixMilliseconds
    /// When it was captured, by the phone's clock as ingest corrected it.
    var capturedAt: UnixMilliseconds
    /// The network of the SIM; unknown where the kind has none.
    var plmn: PLMN
    /// Where it was captured, as far as the subscriber allowed, 1e-7 degrees; nil without a position.
    var latitude: Int64?
    var longitude: Int64?
    /// It answers a prompt.
    var isPrompted = false
    /// It reports what one record alone raises an alarm for.
    var isEmergency = false
    /// The phone said that its position was made up.
    var isMocked: Bool
    /// What ingest noticed: whether the subscriber consented to rewards, how far the device is trusted.
    var flags: RowFlags

    /// Its cell, of the level at which campaigns look at places; nil without a position.
    var cell: Quadkey? {
        guard let latitude, let longitude else { return nil }
        return Quadkey(latitude: latitude, longitude: longitude, level: CampaignDayDocument.cellLevel)
    }
}

/// The rows of a block of a kind that is rewarded, as far as rewards care.
struct RewardedRows {
    private let kind: ProgrammeKind
    private let columns: Columns
    /// For rows without a time of their own.
    private let committedAt: UnixMilliseconds

    init(_ kind: ProgrammeKind, _ columns: Columns, committedAt: UnixMilliseconds) {
        self.kind = kind
        self.columns = columns
        self.committedAt = committedAt
    }

    /// In the order of the rows; a row that names no device or no record is left out.
    func all() -> [RewardedRecord] {
        let device = columns[ColumnID.device], id = columns[ColumnID.id], seq = columns[ColumnID.seq]
        let capturedAt = columns[ColumnID.capturedAt]
        let receivedAt = columns[ColumnID.receivedAt], mcc = columns[ColumnID.mcc], mnc = columns[ColumnID.mnc]
        let latitude = columns[ColumnID.latitude], longitude = columns[ColumnID.longitude]
        let prompt = columns[ColumnID.promptID]
        let mocked = columns[ColumnID.mockLocation], flags = columns[ColumnID.flags]
        let emergencies = kind.kind.problems.filter(\.raisesAlone).flatMap(\.conditions).compactMap { condition in
            columns[condition.column].map { (column: $0, values: condition.values) }
        }
        return (0..<columns.rowCount).compactMap { row in
            guard let device = device?.integer(row).map(UInt64.init(bitPattern:)),
                let record = Self.record(id?.value(row), device, seq?.integer(row))
            else { return nil }
            let received = receivedAt?.integer(row) ?? committedAt
            return RewardedRecord(
                kind: kind.kind.name, device: device, record: record, receivedAt: received,
                capturedAt: capturedAt?.integer(row) ?? received,
                plmn: PLMN(mcc: mcc?.integer(row), mnc: mnc?.integer(row)), latitude: latitude?.integer(row),
                longitude: longitude?.integer(row), isPrompted: prompt?.value(row) != nil,
                isEmergency: emergencies.contains { $0.column.integer(row).map($0.values.contains) ?? false },
                isMocked: mocked?.integer(row) == 1,
                flags: RowFlags(rawValue: flags?.integer(row) ?? 0))
        }
    }

    /// A record without an id of its own is named by its device and number.
    private static func record(_ id: ArraySlice<UInt8>?, _ device: UInt64, _ seq: Int64?) -> RecordIdentifier? {
        if let id { return RecordIdentifier(bytes: id) }
        return seq.map { RecordIdentifier(device: device, seq: $0) }
    }
}
