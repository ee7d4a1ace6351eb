import Models
import Wire

/// The open rows of one local day that fall into one part of the cells, grouped by base cell (level of entry × 5 minutes).
///
/// Memory is about 100 bytes a row and is kept between slices.
struct RowSlice {
    private var places = PlaceTable()
    private var slots = GroupedValues()
    private var devices = GroupedValues()
    private var part: UInt64 = 0
    private var parts: UInt64 = 1
    private var numbers: [UInt32] = []
    private var simNumbers: [UInt32] = []
    private static let elsewhere = UInt32.max

    var keys: [PlaceKey] { places.keys }
    /// (row, cell) pairs taken.
    var rowCount: Int { devices.count }

    /// Starts over with part `part` of `parts` of all cells.
    mutating func begin(part: Int, of parts: Int) {
        self.part = UInt64(part)
        self.parts = UInt64(parts)
        places.removeAll()
        slots.removeAll()
        devices.removeAll()
    }

    /// Takes what belongs to the part from a table of open rows.
    mutating func add(_ rows: Columns) throws {
        guard rows.rowCount > 0 else { return }
        guard let device = rows[OpenRowColumn.device], let bucket = rows[OpenRowColumn.bucket],
            let plmn = rows[OpenRowColumn.plmn], let technology = rows[OpenRowColumn.technology]
        else { throw AggregatorError.openRowsCorrupt("a key column is missing") }
        try number(rows, device, bucket, plmn, technology)
        for metric in Metric.allCases {
            if let bins = rows[metric.column] { add(metric, bins) }
        }
    }

    /// Puts the rows of each cell together.
    mutating func group() {
        slots.group(places.keys.count)
        devices.group(places.keys.count)
    }

    /// Adds the rows of a base cell to a sum.
    func add(_ number: Int, to sum: inout CellSum, scratch: inout CellSum, unpacked: inout CellSum) {
        devices.withGroup(number) {
            sum.samples += Int64($0.count)
            sum.addDevices($0, scratch: &scratch.devices)
        }
        slots.withGroup(number) {
            sum.add(slots: $0, unpacked: &unpacked.entries, scratch: &scratch.entries)
        }
    }

    /// Finds the base cells of each row: that of the serving network, and that of the SIM's.
    private mutating func number(
        _ rows: Columns, _ device: Column, _ bucket: Column, _ plmn: Column, _ technology: Column
    ) throws {
        let level = rows[OpenRowColumn.level], code = rows[OpenRowColumn.code], sim = rows[OpenRowColumn.simPLMN]
        let failures = sim == nil ? RowSet.empty(0) : failed(rows, technology)
        numbers.removeAll(keepingCapacity: true)
        simNumbers.removeAll(keepingCapacity: true)
        for row in 0..<rows.rowCount {
            guard let ordinal = UInt32(exactly: device.integers[row]) else {
                throw AggregatorError.openRowsCorrupt("device ordinal \(device.integers[row])")
            }
            let entry = level?.integers[row] ?? 0
            guard entry == 0 || (Quadkey.coarsestLevel...Quadkey.finestLevel).contains(Int(entry)) else {
                throw AggregatorError.openRowsCorrupt("level \(entry)")
            }
            var key = PlaceKey(
                bucket: bucket.integers[row], plmn: plmn.integers[row], technology: technology.integers[row],
                level: entry, code: code?.integers[row] ?? 0)
            let number = take(key, ordinal)
            numbers.append(number)
            guard let sim, sim.presence[row] else {
                simNumbers.append(number)
                continue
            }
            key = PlaceKey(
                bucket: bucket.integers[row], plmn: sim.integers[row], technology: technology.integers[row],
                level: entry, code: code?.integers[row] ?? 0)
            simNumbers.append(failures[row] ? take(key, ordinal) : RowSlice.elsewhere)
        }
    }

    @inline(__always)
    private mutating func take(_ key: PlaceKey, _ device: UInt32) -> UInt32 {
        guard key.part(of: parts) == part else { return RowSlice.elsewhere }
        let number = places.number(key)
        devices.append(device, group: number)
        return number
    }

    /// Rows that count for the SIM's network too: an event, a rating, or no network at all.
    private func failed(_ rows: Columns, _ technology: Column) -> RowSet {
        var failed = RowSet.empty(rows.rowCount)
        for row in 0..<rows.rowCount {
            failed[row] = technology.integers[row] == Technology.none.rawValue
        }
        for metric in Metric.allCases where metric.isOfSIM {
            guard let column = rows[metric.column] else { continue }
            for row in column.presence.rows { failed[Int(row)] = true }
        }
        return failed
    }

    private mutating func add(_ metric: Metric, _ bins: Column) {
        let isOfSIM = metric.isOfSIM
        for (index, word) in bins.presence.words.enumerated() {
            var bits = word
            while bits != 0 {
                let row = index << 6 + bits.trailingZeroBitCount
                bits &= bits &- 1
                let number = isOfSIM ? simNumbers[row] : numbers[row]
                guard number != RowSlice.elsewhere else { continue }
                slots.append(
                    CellHistograms.Entry.slot(metric, bin: Int32(truncatingIfNeeded: bins.integers[row])), group: number)
            }
        }
    }
}
