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
    /// What every row carries.
    private let flags: RowFlags
    /// Rows that were not rejected; nil: all.
    private let kept: [Int32]?

    init(
        _ scratch: RowScratch, _ table: RowTable, rows: Int, device: DeviceIdentity, offset: Int64?, flags: RowFlags
    ) {
        self.flags = flags
        self.scratch = scratch
        self.table = table
        self.rows = rows
        self.device = device
        self.offset = offset
        let hasBad = (0..<(rows + 63) / 64).contains { scratch.bad[$0] != 0 }
        kept = hasBad ? (0..<Int32(rows)).filter { !scratch.isBad(Int($0)) } : nil
    }

    func upload(
        batch: BatchID, fingerprint: UInt32, rejections: [RowRejection], leftOut: [Int: [LeftOutValue]],
        unknownColumns: UnknownColumns?, listsAll: Bool
    ) -> Upload {
        Upload(
            device: device.ordinal, consentVersion: device.consentVersion, kind: table.kind, batchID: batch,
            fingerprint: fingerprint, rows: packed(), keptPlaces: kept, identities: identities(),
            urgentRows: urgency(), rejections: rejections, rejectedIDs: rejectedIDs(rejections), leftOut: leftOut,
            unknownColumns: unknownColumns,
            rowCount: max(rows, (rejections.last?.row ?? -1) + 1), listsAll: listsAll, trust: device.trust)
    }

    private var count: Int { kept?.count ?? rows }

    /// The row of the scratch that is row `index` of the upload.
    @inline(__always)
    private func row(_ index: Int) -> Int { kept.map { Int($0[index]) } ?? index }

    // MARK: columns

    private func packed() -> PackedColumns {
        var server = ServerColumns(device: device, offset: offset, flags: flags, isReduced: isReduced)
        var writer = PackedColumnsWriter(rowCount: count, columns: table.targets.count + server.count)
        for _ in 0..<server.count { writer.reserve(.integer) }
        for target in table.targets where hasValues(target.slot) {
            writer.reserve(target.encoding, bytes: textLength(target))
        }
        writer.allocate()
        for target in table.targets where hasValues(target.slot) {
            server.write(before: target.column, to: &writer, isReduced: isReduced)
            write(target, to: &writer)
        }
        server.write(before: .max, to: &writer, isReduced: isReduced)
        return writer.finish()
    }

    private func write(_ target: RowTable.Target, to writer: inout PackedColumnsWriter) {
        let slot = target.slot
        let place = writer.add(
            id: target.column, encoding: target.encoding, bytes: textLength(target))
        writePresence(slot, to: place.presence)
        switch target.storage {
        case .integer, .delta:
            let added = target.column == ColumnID.capturedAt ? offset ?? 0 : 0
            writeIntegers(slot, adding: added, to: place.values.assumingMemoryBound(to: Int64.self))
        case .fixed16: writeIdentifiers(slot, to: place.values)
        case .bytes: writeTexts(slot, to: place)
        }
    }

    /// Whether a row that is kept has a value.
    private func hasValues(_ slot: Int) -> Bool {
        let presence = scratch.presence[slot], bad = scratch.bad
        for word in 0..<(rows + 63) / 64 where presence[word] & ~bad[word] != 0 { return true }
        return false
    }

    private func writePresence(_ slot: Int, to words: UnsafeMutablePointer<UInt64>) {
        let source = scratch.presence[slot], wordCount = (count + 63) / 64
        guard let kept else {
            for word in 0..<wordCount { words[word] = source[word] & RowScratch.mask(word, rows: rows) }
            return
        }
        words.update(repeating: 0, count: wordCount)
        for (index, row) in kept.enumerated() where source[Int(row) >> 6] >> UInt64(row & 63) & 1 == 1 {
            words[index >> 6] |= 1 << UInt64(index & 63)
        }
    }

    private func writeIntegers(_ slot: Int, adding added: Int64, to target: UnsafeMutablePointer<Int64>) {
        let source = scratch.integers[slot], presence = scratch.presence[slot]
        for index in 0..<count {
            let row = row(index), isPresent = presence[row >> 6] >> UInt64(row & 63) & 1 == 1
            target[index] = isPresent ? source[row] &+ added : 0
        }
    }

    private func writeIdentifiers(_ slot: Int, to target: UnsafeMutableRawPointer) {
        let source = UnsafeRawPointer(scratch.identifiers[slot])
        for index in 0..<count {
            let row = row(index)
            if scratch.isPresent(slot, row) {
                (target + 16 * index).copyMemory(from: source + 16 * row, byteCount: 16)
            } else {
                (target + 16 * index).initializeMemory(as: UInt8.self, repeating: 0, count: 16)
            }
        }
    }

    private func textLength(_ target: RowTable.Target) -> Int {
        guard target.storage == .bytes else { return 0 }
        var length = 0
        for index in 0..<count {
            length += scratch.value(target.slot, row(index)).map { Int($0 & 0xFFFF_FFFF) } ?? 0
        }
        return length
    }

    private func writeTexts(_ slot: Int, to place: PackedColumnsWriter.Place) {
        let ends = place.values.assumingMemoryBound(to: UInt32.self)
        var used = 0
        for index in 0..<count {
            if let reference = scratch.value(slot, row(index)) {
                let start = Int(reference >> 32), size = Int(reference & 0xFFFF_FFFF)
                (place.bytes + used).copyMemory(from: scratch.text + start, byteCount: size)
                used += size
            }
            ends[index] = UInt32(used)
        }
    }

    /// Whether consent changed a row of the upload.
    private func isReduced(_ index: Int) -> Bool {
        let row = row(index)
        return scratch.reduced[row >> 6] >> UInt64(row & 63) & 1 == 1
    }

    private var isReduced: Bool {
        for word in 0..<(rows + 63) / 64 where scratch.reduced[word] & ~scratch.bad[word] != 0 { return true }
        return false
    }

    // MARK: identities

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
        return [RowIdentity](unsafeUninitializedCapacity: count) { target, initialized in
            for index in 0..<count {
                let row = row(index), seq = slot.flatMap { scratch.value($0, row) } ?? 0
                let id = identifier(row).map(RowIdentity.hash) ?? 0
                target.initializeElement(
                    at: index, to: RowIdentity(seq: seq, id: id, content: scratch.hashes[row]))
            }
            initialized = count
        }
    }

    private func rejectedIDs(_ rejections: [RowRejection]) -> [Int: RecordIdentifier] {
        var ids: [Int: RecordIdentifier] = [:]
        for rejection in rejections where rejection.row < rows { ids[rejection.row] = identifier(rejection.row) }
        return ids
    }

    private func urgency() -> RowSet? {
        guard table.problemSlots.contains(where: hasValues) else { return nil }
        var urgent = RowSet.empty(count)
        for index in 0..<count {
            let row = row(index)
            guard table.problemSlots.contains(where: { scratch.isPresent($0, row) }) else { continue }
            let problem = table.kind.problem { column in table.slot(column).flatMap { scratch.value($0, row) } }
            urgent[index] = problem != nil
        }
        return urgent.isEmpty ? nil : urgent
    }
}
