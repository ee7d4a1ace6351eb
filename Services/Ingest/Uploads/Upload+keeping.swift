internal import Models
package import Wire

extension Upload {
    /// The upload with some of its rows; the others are rejected.
    ///
    /// - Parameters:
    ///   - kept: rows of `rows` that stay, ascending.
    ///   - columns: what they say now.
    ///   - rejection: of a row that goes, by its place in the upload.
    package func keeping(
        _ kept: [Int32], _ columns: Columns, consentVersion: Int64? = nil, rejection: (Int) -> RowRejection
    ) -> Upload {
        var rejectedIDs = rejectedIDs, rejections = rejections
        for row in Set(0..<Int32(identities.count)).subtracting(kept).map(Int.init) {
            rejectedIDs[place(row)] = identifier(row)
            rejections.append(rejection(place(row)))
        }
        return Upload(
            device: device, consentVersion: consentVersion ?? self.consentVersion, kind: kind, batchID: batchID,
            fingerprint: fingerprint, rows: PackedColumns(columns), keptPlaces: kept.map { Int32(place(Int($0))) },
            identities: kept.map { identities[Int($0)] }, urgentRows: Self.urgency(kind, columns),
            rejections: rejections.sorted { $0.row < $1.row }, rejectedIDs: rejectedIDs, leftOut: leftOut,
            unknownColumns: unknownColumns, rowCount: rowCount, listsAll: listsAll, trust: trust)
    }

    private static func urgency(_ kind: RecordKind, _ columns: Columns) -> RowSet? {
        var urgent = RowSet.empty(columns.rowCount)
        for row in 0..<columns.rowCount {
            urgent[row] = kind.problem { columns[$0]?.integer(row) } != nil
        }
        return urgent.isEmpty ? nil : urgent
    }
}
