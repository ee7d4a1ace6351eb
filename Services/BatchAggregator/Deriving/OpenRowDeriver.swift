import AggregatorCells
import Foundation
import Models
import Wire

/// Turns accepted rows into open rows: entry cell, bucket, scopes, stratum, a bin per metric. Pure.
///
/// Rows with a mocked location are left out. Not thread-safe (keeps the last cell and day).
struct OpenRowDeriver {
    private let rules: CountingRules
    private var days: LocalDays
    private var cells = EntryCells()

    init(_ rules: CountingRules, timeZone: TimeZone) {
        days = LocalDays(timeZone)
        self.rules = rules
    }

    /// The columns of a block that open rows are made of.
    ///
    /// - Throws: ``AggregatorError/unknownKind(_:)``.
    func ids(_ kind: UInt8) throws -> Set<UInt8> { try rules.kind(kind).columns }

    /// The open rows of a block, of which ``ids(_:)`` are looked at, by local day.
    ///
    /// - Parameter kind: of the block.
    /// - Throws: ``AggregatorError/unknownKind(_:)``.
    mutating func derive(_ columns: Columns, kind: UInt8) throws -> [DayRows] {
        let rowCount = columns.rowCount
        let buckets = AcceptedTimes(columns).buckets
        let rows = openRows(columns, kind, try rules.kind(kind), buckets)
        var kept: [Int64: [Int32]] = [:]
        let mocked = columns[ColumnID.mockLocation]
        var lastDay: Int64 = 0
        var group: [Int32] = []
        group.reserveCapacity(rowCount)
        for row in 0..<rowCount where mocked?.integers[row] != 1 {
            let day = days.day(of: buckets[row] * OpenRowColumn.bucketSeconds)
            if day != lastDay && !group.isEmpty {
                kept[lastDay, default: []] += group
                group.removeAll(keepingCapacity: true)
            }
            lastDay = day
            group.append(Int32(row))
        }
        if group.count == rowCount && rowCount > 0 { return [DayRows(day: lastDay, rows: rows)] }
        if !group.isEmpty { kept[lastDay, default: []] += group }
        return kept.keys.sorted().map { DayRows(day: $0, rows: rows.gathered(kept[$0]!)) }
    }

    private mutating func openRows(
        _ columns: Columns, _ number: UInt8, _ kind: CountingRules.Kind, _ buckets: [Int64]
    ) -> Columns {
        var open: [Column] = cells.columns(columns, finestLevel: kind.finestLevel)
        open.append(
            Column(
                id: OpenRowColumn.bucket, encoding: .delta, presence: .full(columns.rowCount), integers: buckets))
        open += RowScopes(columns, kind.scope).columns
        open.append(stratum(columns, kind.strata))
        if let device = columns[ColumnID.device] {
            open.append(Column(id: OpenRowColumn.device, presence: .full(columns.rowCount), integers: device.integers))
        }
        open.append(
            Column(
                id: OpenRowColumn.kind, presence: .full(columns.rowCount),
                integers: [Int64](repeating: Int64(number), count: columns.rowCount)))
        if let flags = flags(columns) { open.append(flags) }
        for metric in kind.metrics {
            if let column = columns[metric.column], column.encoding.isInteger { open.append(bins(metric, column)) }
        }
        return Columns(rowCount: columns.rowCount, columns: open)
    }

    private func stratum(_ columns: Columns, _ strata: Strata) -> Column {
        var found = [Int64](repeating: 0, count: columns.rowCount)
        if let id = strata.column, let values = columns[id] {
            for row in 0..<columns.rowCount where values.presence[row] {
                let place = Int(truncatingIfNeeded: values.integers[row])
                if strata.codes.indices.contains(place) { found[row] = Int64(strata.codes[place]) }
            }
        }
        return Column(id: OpenRowColumn.stratum, presence: .full(columns.rowCount), integers: found)
    }

    /// Nil if no row has one of those that are kept.
    private func flags(_ columns: Columns) -> Column? {
        guard let column = columns[ColumnID.flags] else { return nil }
        let kept = OpenRowColumn.keptFlags.rawValue
        var flags = column.integers
        var presence = RowSet.empty(columns.rowCount)
        for row in flags.indices {
            flags[row] &= kept
            if flags[row] != 0 { presence[row] = true }
        }
        return presence.isEmpty ? nil : Column(id: OpenRowColumn.flags, presence: presence, integers: flags)
    }

    private func bins(_ metric: CountedMetric, _ column: Column) -> Column {
        let table = metric.bins
        var bins = column.integers
        for row in bins.indices { bins[row] = Int64(table.bin(bins[row])) }
        // Absent rows hold 0, whose bin is 0 in every table.
        return Column(id: metric.column, presence: column.presence, integers: bins)
    }
}

/// Open rows of one local day.
struct DayRows: Equatable {
    /// Begin of the local day, Unix seconds.
    var day: Int64
    /// The table of ``OpenRowColumn``.
    var rows: Columns
}

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
