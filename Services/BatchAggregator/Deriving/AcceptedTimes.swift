import Models
import Wire

/// The 5-minute buckets of rows: of the corrected capture time, else of the time of reception.
struct AcceptedTimes {
    /// Unix seconds ÷ 300, one a row.
    let buckets: [Int64]

    init(_ columns: Columns) {
        let captured = columns[ColumnID.capturedAt], received = columns[ColumnID.receivedAt]
        var times = captured?.integers ?? received?.integers ?? [Int64](repeating: 0, count: columns.rowCount)
        if let captured, let received, !captured.presence.isFull {
            for row in times.indices where !captured.presence[row] { times[row] = received.integers[row] }
        }
        let bucket = OpenRowColumn.bucketSeconds * 1_000
        for row in times.indices {
            let time = times[row]
            times[row] = time >= 0 ? time / bucket : -((bucket - 1 - time) / bucket)
        }
        buckets = times
    }
}
