internal import Models
internal import Wire

/// A block of raw rows, read back and decoded.
struct StoredBlock {
    /// Its place in the order of arrival, over all day files.
    let sequence: Int64
    /// The UTC day its rows were received on: `2026-03-01`.
    let day: String
    let lane: LaneName
    let kind: RecordKind
    let columns: Columns
}
