internal import Models
internal import Wire

/// Gathers the rows of a scratch that may be accepted into an ``Upload``.
struct UploadGatherer {
    private let scratch: RowScratch
    private let table: RowTable
    private let rows: Int
    private let device: DeviceIdentity
    /// What is added to the phone's times; nil if the phone did not say when it sent.
    private let offset: Int64?
    private let kept: [Int32]

    init(_ scratch: RowScratch, _ table: RowTable, rows: Int, device: DeviceIdentity, offset: Int64?) {
        self.scratch = scratch
        self.table = table
        self.rows = rows
        self.device = device
        self.offset = offset
        kept = (0..<Int32(rows)).filter { !scratch.isBad(Int($0)) }
    }

    mutating func upload(batch: BatchID, fingerprint: UInt32, rejections: [RowRejection], listsAll: Bool) -> Upload {
        Upload(
            device: device.ordinal, consentVersion: device.consentVersion, kind: table.kind, batchID: batch,
            fingerprint: fingerprint,
            columns: Columns(rowCount: kept.count, columns: columns()), places: kept, identities: identities(),
            urgent: urgency(), rejections: rejections, rejectedIDs: rejectedIDs(rejections),
            rowCount: max(rows, (rejections.last?.row ?? -1) + 1), listsAll: listsAll)
    }

    private func columns() -> [Column] {
        var columns: [Column] = []
        columns.reserveCapacity(table.targets.count + 4)
        let count = kept.count
        for target in table.targets {
            if target.field.column > ColumnID.seq, columns.last.map({ $0.id <= ColumnID.seq }) ?? true {
                addServer(&columns, count)
            }
            if let column = column(target) { columns.append(column) }
        }
        return columns
    }

    /// `device` and what else the server knows; `captured_at` lies between them, ``Columns`` sorts.
    private func addServer(_ columns: inout [Column], _ count: Int) {
        func constant(_ id: UInt8, _ value: Int64) -> Column {
            Column(id: id, presence: .full(count), integers: [Int64](repeating: value, count: count))
        }
        columns.append(constant(ColumnID.device, Int64(device.ordinal)))
        columns.append(constant(ColumnID.consentVersion, device.consentVersion))
        if let offset { columns.append(constant(ColumnID.clockOffset, offset)) }
        let reduced = kept.map { scratch.reduced[Int($0) >> 6] >> UInt64($0 & 63) & 1 == 1 }
        let flags = device.consent.flags
        if reduced.contains(true) {
            let (plain, less) = (flags.isEmpty ? nil : flags.rawValue, flags.union(.consentReduced).rawValue)
            columns.append(Column(id: ColumnID.flags, values: reduced.map { $0 ? less : plain }))
        } else if !flags.isEmpty {
            columns.append(constant(ColumnID.flags, flags.rawValue))
        }
    }

    private func column(_ target: RowTable.Target) -> Column? {
        let presence = presence(target.slot)
        guard !presence.isEmpty else { return nil }
        switch target.field.storage {
        case .integer, .delta:
            let added = target.field.column == ColumnID.capturedAt ? offset ?? 0 : 0
            return Column(
                id: target.field.column, encoding: target.field.isDelta ? .delta : .integer, presence: presence,
                integers: integers(target.slot, presence, adding: added))
        case .fixed16:
            return Column(id: target.field.column, presence: presence, fixed16: identifiers(target.slot, presence))
        case .bytes:
            let (bytes, ends) = texts(target.slot, presence)
            return Column(id: target.field.column, presence: presence, bytes: bytes, ends: ends)
        }
    }

    private var keepsAll: Bool { kept.count == rows }

    private func presence(_ slot: Int) -> RowSet {
        let words = (rows + 63) / 64
        let all = RowSet(count: rows, words: Array(UnsafeBufferPointer(start: scratch.presence[slot], count: words)))
        return keepsAll ? all : all.gather(kept)
    }

    private func integers(_ slot: Int, _ presence: RowSet, adding added: Int64) -> [Int64] {
        let source = scratch.integers[slot], isFull = presence.isFull
        return [Int64](unsafeUninitializedCapacity: kept.count) { target, count in
            count = kept.count
            if keepsAll, isFull {
                for row in 0..<count { target[row] = source[row] &+ added }
            } else {
                for (index, row) in kept.enumerated() {
                    target[index] = scratch.isPresent(slot, Int(row)) ? source[Int(row)] &+ added : 0
                }
            }
        }
    }

    private func identifiers(_ slot: Int, _ presence: RowSet) -> [UInt8] {
        let source = scratch.identifiers[slot]
        return [UInt8](unsafeUninitializedCapacity: 16 * kept.count) { target, count in
            count = 16 * kept.count
            for (index, row) in kept.enumerated() {
                let place = target.baseAddress! + 16 * index
                if scratch.isPresent(slot, Int(row)) {
                    place.update(from: source + 16 * Int(row), count: 16)
                } else {
                    place.update(repeating: 0, count: 16)
                }
            }
        }
    }

    private func texts(_ slot: Int, _ presence: RowSet) -> ([UInt8], [UInt32]) {
        var bytes: [UInt8] = []
        var ends: [UInt32] = []
        ends.reserveCapacity(kept.count)
        for row in kept {
            if let reference = scratch.value(slot, Int(row)) {
                let start = Int(reference >> 32), size = Int(reference & 0xFFFF_FFFF)
                bytes.append(contentsOf: UnsafeBufferPointer(start: scratch.text + start, count: size))
            }
            ends.append(UInt32(bytes.count))
        }
        return (bytes, ends)
    }

    private func identifier(_ row: Int) -> RecordIdentifier? {
        if let slot = table.slot(ColumnID.id), scratch.isPresent(slot, row) {
            let bytes = UnsafeRawPointer(scratch.identifiers[slot] + 16 * row)
            return RecordIdentifier(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
        guard let slot = table.slot(ColumnID.seq), let seq = scratch.value(slot, row) else { return nil }
        return RecordIdentifier(device: device.ordinal, seq: seq)
    }

    private func identities() -> [RowIdentity] {
        let slot = table.slot(ColumnID.seq)
        return kept.map { row in
            let row = Int(row)
            let seq = slot.flatMap { scratch.value($0, row) } ?? 0
            let id = identifier(row).map(RowIdentity.hash) ?? 0
            return RowIdentity(seq: seq, id: id, content: scratch.hashes[row])
        }
    }

    private func rejectedIDs(_ rejections: [RowRejection]) -> [Int: RecordIdentifier] {
        var ids: [Int: RecordIdentifier] = [:]
        for rejection in rejections where rejection.row < rows { ids[rejection.row] = identifier(rejection.row) }
        return ids
    }

    private func urgency() -> RowSet {
        let event = table.slot(ColumnID.event), rating = table.slot(ColumnID.rating),
            trigger = table.slot(ColumnID.trigger)
        var urgent = RowSet.empty(kept.count)
        for (index, row) in kept.enumerated() {
            let row = Int(row)
            let isUrgent = Urgency.isUrgent(
                event: event.flatMap { scratch.value($0, row) }, rating: rating.flatMap { scratch.value($0, row) },
                trigger: trigger.flatMap { scratch.value($0, row) })
            if isUrgent { urgent[index] = true }
        }
        return urgent
    }
}
