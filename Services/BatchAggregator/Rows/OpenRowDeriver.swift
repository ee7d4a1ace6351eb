import Foundation
import Models
import Wire

/// Turns accepted rows into open rows: entry cell, bucket, networks, a bin per metric. Pure.
///
/// Rows with a mocked location are left out. Not thread-safe (keeps the last cell and day).
struct OpenRowDeriver {
    /// The columns of a block that open rows are made of.
    let ids: Set<UInt8>

    private let metrics: CellMetrics
    private var days: LocalDays
    private var cells = EntryCells()

    init(timeZone: TimeZone, metrics: CellMetrics = .mobile) {
        days = LocalDays(timeZone)
        self.metrics = metrics
        ids = metrics.columns.union([
            ColumnID.device, ColumnID.receivedAt, ColumnID.capturedAt, ColumnID.flags, ColumnID.mockLocation,
            ColumnID.networkType, ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy, ColumnID.speed,
            ColumnID.mcc, ColumnID.mnc, ColumnID.servingMCC, ColumnID.servingMNC,
        ])
    }

    /// The open rows of a block, of which ``ids`` are looked at, by local day.
    ///
    /// - Parameter kind: of the block: reports or feedback.
    mutating func derive(_ columns: Columns, kind: UInt8) -> [DayRows] {
        let rowCount = columns.rowCount
        let buckets = AcceptedTimes(columns).buckets
        let rows = openRows(columns, kind, buckets)
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

    private mutating func openRows(_ columns: Columns, _ kind: UInt8, _ buckets: [Int64]) -> Columns {
        let networks = RowNetworks(columns)
        var open: [Column] = cells.columns(columns)
        open.append(
            Column(
                id: OpenRowColumn.bucket, encoding: .delta, presence: .full(columns.rowCount), integers: buckets))
        open += networks.columns
        open.append(technology(columns))
        if let device = columns[ColumnID.device] {
            open.append(Column(id: OpenRowColumn.device, presence: .full(columns.rowCount), integers: device.integers))
        }
        open.append(
            Column(
                id: OpenRowColumn.kind, presence: .full(columns.rowCount),
                integers: [Int64](repeating: Int64(kind), count: columns.rowCount)))
        if let flags = flags(columns) { open.append(flags) }
        for metric in metrics.items {
            if let column = columns[metric.column], column.encoding.isInteger { open.append(bins(metric, column)) }
        }
        return Columns(rowCount: columns.rowCount, columns: open)
    }

    private func technology(_ columns: Columns) -> Column {
        var technologies = [Int64](repeating: Technology.unknown.rawValue, count: columns.rowCount)
        if let types = columns[ColumnID.networkType] {
            let table = NetworkType.allCases.map(\.technology.rawValue)
            for row in 0..<columns.rowCount where types.presence[row] {
                let type = types.integers[row]
                if table.indices.contains(Int(truncatingIfNeeded: type)) { technologies[row] = table[Int(type)] }
            }
        }
        return Column(id: OpenRowColumn.technology, presence: .full(columns.rowCount), integers: technologies)
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

    private func bins(_ metric: CellMetrics.Item, _ column: Column) -> Column {
        let table = metric.bins
        var bins = column.integers
        for row in bins.indices { bins[row] = Int64(table.bin(bins[row])) }
        // Absent rows hold 0, whose bin is 0 in every table.
        return Column(id: metric.column, presence: column.presence, integers: bins)
    }
}
