internal import Models
public import Wire

extension Columns {
    /// Rows of a state lane that say that a key is gone, and whose it was, so that an erasure finds it.
    public static func tombstones(_ rows: [(key: String, device: UInt64?)]) -> Columns {
        var columns = [Column(id: ColumnID.key, strings: rows.map { Array($0.key.utf8) })]
        if rows.contains(where: { $0.device != nil }) {
            columns.append(Column(id: ColumnID.device, values: rows.map { $0.device.map(Int64.init(bitPattern:)) }))
        }
        return Columns(rowCount: rows.count, columns: columns)
    }
}
