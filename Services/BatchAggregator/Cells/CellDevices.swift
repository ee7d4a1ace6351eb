import Models

/// The devices of a cell as bytes, and what comes of them where rows are added or taken.
///
///     list     0, bitmap 1: ``DeviceSet``, of cells that older programs wrote: which devices, not how many rows of each
///     counted  2 │ per device, ascending:  difference to the one before │ rows
///     apart    3 │ per device, ascending:  difference to the one before │ rows │ entries │ entry …
///     sole     4 │ the device: it has all rows and samples of the cell
///     dense    5 │ the rows of each device at the place of its number: ``DenseCounts``
///
///     entry    (value << 3 │ step << 1 │ isMany) [│ step − 3] [│ count − 2]
///
/// All numbers varints. `step` is the difference to the metric of the entry before (0: the same, 3: what follows is added), `value`
/// the difference to its bin or, with another metric, the bin as zigzag; the count is 1 unless it follows. Which of 2 to 5 it is
/// follows from the counts (``DeviceCounts``), so the same counts are the same bytes. Keeps its memory.
package struct CellDevices {
    /// The bytes.
    private(set) var bytes: [UInt8] = []
    /// Devices.
    package private(set) var count = 0
    /// How their samples are spread, as ``DeviceSpread`` draws it.
    package var spreads: [UInt8] { spreading.bytes }
    /// What is stored and what becomes of it. Worthless with ``set`` and ``dense``.
    private(set) var counts = DeviceCounts()
    private var dense = DenseCounts()
    private var scratch: [DeviceCounts.Entry] = []
    private var set = DeviceSet()
    private var spreading = CellSpreads()

    package init() {}

    /// Makes this the devices of figures and a sum that is added to them.
    ///
    /// Returns false if the bytes are none.
    package mutating func add(_ sum: CellSum, to figures: StoredFigures.Lent) -> Bool {
        if let form = figures.devices.first, form < 2 {
            guard set.unite(figures.devices, sum.devices.ordinals) else { return false }
            take(set)
            return true
        }
        let samples = figures.samples + sum.samples
        if figures.devices.first == DenseCounts.form {
            guard dense.read(figures.devices) else { return false }
            if dense.add(sum.devices) {
                settle(samples: samples)
                return true
            }
            dense.list(into: &counts)
        } else if !decode(figures) {
            return false
        }
        counts.add(sum.devices, scratch: &scratch)
        encode(samples: samples)
        return true
    }

    /// Makes this the devices of figures less a sum.
    ///
    /// Returns false if the bytes are none, or have less than is to be taken.
    ///
    /// - Parameter gone: devices of the sum that have no other row, ascending; counts know it by themselves.
    mutating func subtract(_ sum: CellSum, gone: [UInt32], from figures: StoredFigures.Lent) -> Bool {
        if let form = figures.devices.first, form < 2 {
            guard set.subtract(figures.devices, gone) else { return false }
            take(set)
            return true
        }
        let samples = figures.samples - sum.samples
        if figures.devices.first == DenseCounts.form {
            guard dense.read(figures.devices), dense.subtract(sum.devices) else { return false }
            settle(samples: samples)
            return true
        }
        guard decode(figures), counts.subtract(sum.devices, scratch: &scratch) else { return false }
        encode(samples: samples)
        return true
    }

    /// Makes this the devices of figures as they are. Returns false if the bytes are none.
    package mutating func read(_ figures: StoredFigures.Lent) -> Bool {
        if let form = figures.devices.first, form < 2 {
            guard set.unite(figures.devices, []) else { return false }
            take(set)
            return true
        }
        guard decode(figures) else { return false }
        encode(samples: figures.samples)
        return true
    }

    /// Whether there are so few devices that what each contributed is told, and it is not known any more.
    var isUncounted: Bool { !counts.areApart && 2...DeviceSpread.mostApart ~= count && bytes.first == 2 }

    /// Makes this the devices of counts.
    mutating func replace(_ counts: DeviceCounts, samples: Int64) {
        self.counts.copy(counts)
        encode(samples: samples)
    }

    /// The ordinals of the devices in bytes, ascending; nil if the bytes are none.
    package static func ordinals(_ figures: StoredFigures.Lent) -> [UInt32]? {
        if let form = figures.devices.first, form < 2 { return DeviceSet.ordinals(figures.devices) }
        var devices = CellDevices()
        return devices.decode(figures) ? devices.counts.ordinals : nil
    }

    private mutating func take(_ set: DeviceSet) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: set.bytes)
        count = set.count
        spreading.clear()
    }

    // Bytes.

    /// Makes this ``dense``, or its list.
    private mutating func settle(samples: Int64) {
        guard dense.isDense else {
            dense.list(into: &counts)
            return encode(samples: samples)
        }
        bytes.removeAll(keepingCapacity: true)
        count = dense.count
        dense.write(to: &bytes)
        spreading.tell(dense, samples: samples)
    }

    private mutating func encode(samples: Int64) {
        if dense.take(counts) { return settle(samples: samples) }
        bytes.removeAll(keepingCapacity: true)
        count = counts.count
        spreading.tell(counts, samples: samples)
        guard let first = counts.entries.first else { return }
        if count == 1 {
            bytes.append(4)
            return Varint.append(UInt64(first.device), to: &bytes)
        }
        bytes.append(counts.areApart ? 3 : 2)
        if counts.areApart { encodeApart() } else { encodeCounted() }
    }

    private mutating func encodeCounted() {
        var last: UInt32 = 0
        for entry in counts.entries {
            Varint.append(UInt64(entry.device - last), to: &bytes)
            Varint.append(UInt64(entry.count), to: &bytes)
            last = entry.device
        }
    }

    private mutating func encodeApart() {
        // A device has three numbers, an entry of a bin three at most.
        withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: counts.entries.count * 3 * Varint.maximumLength
        ) { space in
            var pointer = space.baseAddress!
            counts.entries.withUnsafeBufferPointer { Self.write($0, at: &pointer) }
            bytes.append(
                contentsOf: UnsafeBufferPointer(start: space.baseAddress!, count: pointer - space.baseAddress!))
        }
    }

    private static func write(
        _ entries: UnsafeBufferPointer<DeviceCounts.Entry>, at pointer: inout UnsafeMutablePointer<UInt8>
    ) {
        var last: UInt32 = 0, place = 0
        while place < entries.count {
            let device = entries[place].device
            Varint.write(UInt64(device - last), at: &pointer)
            Varint.write(UInt64(entries[place].count), at: &pointer)
            last = device
            var end = place + 1
            while end < entries.count, entries[end].device == device { end += 1 }
            Varint.write(UInt64(end - place - 1), at: &pointer)
            var slot: UInt32 = 0
            for index in place + 1..<end {
                entries[index].write(after: slot, at: &pointer)
                slot = entries[index].slot
            }
            place = end
        }
    }

    private mutating func decode(_ figures: StoredFigures.Lent) -> Bool {
        counts.removeAll()
        guard let form = figures.devices.first else { return figures.samples == 0 }
        let bytes = figures.devices.bindMemory(to: UInt8.self)
        var pointer = bytes.baseAddress! + 1
        let end = bytes.baseAddress! + bytes.count
        let isSound =
            switch form {
            case 2: decodeCounted(&pointer, end)
            case 3: decodeApart(&pointer, end)
            case 4: decodeSole(&pointer, end, figures)
            case DenseCounts.form: decodeDense(figures.devices)
            default: false
            }
        counts.finish()
        return isSound
    }

    private mutating func decodeDense(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard dense.read(bytes) else { return false }
        dense.list(into: &counts)
        return true
    }

    private mutating func decodeCounted(_ pointer: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        counts.begin(areApart: false)
        var last: UInt64 = 0, isFirst = true
        while pointer < end {
            guard let device = Self.next(after: last, isFirst, &pointer, end), let rows = Self.count(&pointer, end)
            else {
                return false
            }
            counts.append(DeviceCounts.Entry(device: device, slot: 0, count: rows))
            (last, isFirst) = (UInt64(device), false)
        }
        return true
    }

    private mutating func decodeApart(_ pointer: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        counts.begin(areApart: true)
        var last: UInt64 = 0, isFirst = true
        while pointer < end {
            guard let device = Self.next(after: last, isFirst, &pointer, end), let rows = Self.count(&pointer, end),
                let entries = Varint.read(at: &pointer, end: end), entries <= UInt64(end - pointer)
            else { return false }
            counts.append(DeviceCounts.Entry(device: device, slot: 0, count: rows))
            var slot: UInt32 = 0
            for _ in 0..<entries {
                guard let entry = DeviceCounts.Entry(of: device, after: slot, at: &pointer, end: end) else {
                    return false
                }
                counts.append(entry)
                slot = entry.slot
            }
            (last, isFirst) = (UInt64(device), false)
        }
        return true
    }

    private mutating func decodeSole(
        _ pointer: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ figures: StoredFigures.Lent
    ) -> Bool {
        counts.begin(areApart: true)
        guard let device = Self.next(after: 0, true, &pointer, end), pointer == end,
            var reader = CellHistogramReader(figures.histograms)
        else { return false }
        counts.append(DeviceCounts.Entry(device: device, slot: 0, count: figures.samples))
        while let entry = reader.next() {
            counts.append(DeviceCounts.Entry(device: device, slot: entry.slot, count: entry.count))
        }
        return reader.isSound
    }

    @inline(__always)
    private static func next(
        after last: UInt64, _ isFirst: Bool, _ pointer: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UInt32? {
        guard let difference = Varint.read(at: &pointer, end: end), difference > 0 || isFirst, difference <= UInt32.max
        else { return nil }
        return UInt32(exactly: last + difference)
    }

    @inline(__always)
    private static func count(_ pointer: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int64? {
        Varint.read(at: &pointer, end: end).flatMap { $0 > 0 && $0 < 1 << 48 ? Int64($0) : nil }
    }
}
