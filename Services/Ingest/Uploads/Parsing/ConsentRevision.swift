internal import Models
internal import Wire

/// Makes the rows of an upload obey what their device allowed when each was captured and what it allows now.
///
/// Taking away is all it can do, so it may follow ``ConsentFilter``, and itself. Used where consent changed within the
/// acceptance horizon: on the request's task for what was known then, in the commit for what came between.
package struct ConsentRevision {
    private let upload: Upload
    private let table: Columns
    private let device: DeviceIdentity
    /// Rows that may be kept, and what each may say.
    private var kept: [Int32] = []
    private var allowed: [Consent] = []
    private var reduced: [Bool] = []

    /// The upload as its device allows it.
    package static func apply(_ device: DeviceIdentity, to upload: Upload) -> Upload {
        var revision = ConsentRevision(upload, device)
        return revision.upload(revision.columns())
    }

    /// True if a row was captured under another consent than that of now.
    static func concerns(_ device: DeviceIdentity, _ upload: Upload) -> Bool {
        guard let last = device.past.last else { return false }
        return upload.rows.withIntegers(of: ColumnID.capturedAt) { $0?.contains { $0 < last.until } ?? false }
    }

    private init(_ upload: Upload, _ device: DeviceIdentity) {
        self.upload = upload
        self.device = device
        table = upload.rows.columns
        let captured = table[ColumnID.capturedAt]
        for row in 0..<table.rowCount {
            let then = captured?.integer(row).map(device.consent(at:)) ?? device.consent
            guard then.contains(.measurement) else { continue }
            kept.append(Int32(row))
            allowed.append(then.limited(to: device.consent))
        }
        reduced = [Bool](repeating: false, count: kept.count)
    }

    private mutating func columns() -> Columns {
        let all = kept.count == self.table.rowCount
        var table: [UInt8: Column] = [:]
        for column in (all ? self.table : self.table.gathered(kept)).columns { table[column.id] = column }
        for row in kept.indices {
            if !allowed[row].contains(.locationPrecise) { revisePlace(row, &table) }
            for column in upload.kind.consents where !allowed[row].allows(column.purpose) {
                guard table[column.column]?.integer(row) != column.exception else { continue }
                put(nil, column.column, row, &table)
            }
        }
        table[ColumnID.consentVersion] = Column(
            id: ColumnID.consentVersion, presence: .full(kept.count),
            integers: [Int64](repeating: device.consentVersion, count: kept.count))
        table[ColumnID.flags] = flags(table[ColumnID.flags])
        return Columns(rowCount: kept.count, columns: table.values.filter { !$0.presence.isEmpty })
    }

    private mutating func revisePlace(_ row: Int, _ table: inout [UInt8: Column]) {
        let north = table[ColumnID.latitude]?.integer(row), east = table[ColumnID.longitude]?.integer(row)
        if allowed[row].contains(.locationCoarse) {
            guard north != nil || east != nil else { return }
            let accuracy = table[ColumnID.accuracy]?.integer(row)
            if let place = ConsentFilter.coarse(north, east, accuracy: accuracy) {
                put(place.latitude, ColumnID.latitude, row, &table)
                put(place.longitude, ColumnID.longitude, row, &table)
                put(place.accuracy, ColumnID.accuracy, row, &table)
            } else {
                for id in [ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy] { put(nil, id, row, &table) }
            }
        } else {
            for id in ConsentFilter.placeColumns { put(nil, id, row, &table) }
        }
    }

    private mutating func put(_ value: Int64?, _ id: UInt8, _ row: Int, _ table: inout [UInt8: Column]) {
        guard table[id]?.integer(row) != value else { return }
        if table[id] == nil { table[id] = .absent(id: id, encoding: .integer, rowCount: kept.count) }
        table[id]!.integers[row] = value ?? 0
        table[id]!.presence[row] = value != nil
        reduced[row] = true
    }

    private func flags(_ before: Column?) -> Column {
        Column(
            id: ColumnID.flags,
            values: kept.indices.map { row in
                var flags = RowFlags(rawValue: before?.integer(row) ?? 0).union(allowed[row].flags)
                if reduced[row] { flags.insert(.consentReduced) }
                return flags.isEmpty ? nil : flags.rawValue
            })
    }

    private func upload(_ columns: Columns) -> Upload {
        upload.keeping(kept, columns, consentVersion: device.consentVersion) { .notConsented($0) }
    }
}

extension RowRejection {
    fileprivate static func notConsented(_ place: Int) -> RowRejection {
        RowRejection(
            row: place, code: .notConsented, field: nil,
            detail: "captured while the subscriber did not consent to measurement")
    }
}
