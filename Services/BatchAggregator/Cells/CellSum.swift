package import Models

/// What is to be added to one cell: rows, the bins of their figures, and the devices they came from.
package struct CellSum {
    package var samples: Int64 = 0
    /// Ascending by slot.
    package var entries: [CellHistograms.Entry] = []
    package var devices = DeviceCounts()
    var source = CellSource()

    package init() {}

    /// Memory that adding takes.
    package struct Scratch {
        var entries: [CellHistograms.Entry] = []
        var devices: [DeviceCounts.Entry] = []

        package init() {}
    }

    /// Bytes of memory, about.
    var byteCount: Int { 16 * (entries.count + devices.entries.count) }

    mutating func removeAll() {
        samples = 0
        source = CellSource()
        entries.removeAll(keepingCapacity: true)
        devices.removeAll()
    }

    /// Makes this a copy, in memory of its own.
    mutating func copy(_ other: CellSum) {
        removeAll()
        samples = other.samples
        source = other.source
        entries.append(contentsOf: other.entries)
        devices.copy(other.devices)
    }

    /// Adds another sum.
    package mutating func add(_ other: CellSum, scratch: inout Scratch) {
        samples += other.samples
        source.join(other.source)
        other.entries.withUnsafeBufferPointer { addEntries($0, scratch: &scratch.entries) }
        devices.add(other.devices, scratch: &scratch.devices)
    }

    /// Adds codes of ``SlotCode`` that ascend and repeat as often as they came.
    ///
    /// - Parameter slots: ``CountingRules/slots(of:)``.
    mutating func add(
        codes: UnsafeBufferPointer<UInt16>, slots: [UInt32], unpacked: inout [CellHistograms.Entry],
        scratch: inout Scratch
    ) {
        guard !codes.isEmpty else { return }
        let missing = min(codes.count, Int(UInt16.max) + 1) - unpacked.count
        if missing > 0 { unpacked.append(contentsOf: repeatElement(.init(slot: 0, count: 0), count: missing)) }
        let count = unpacked.withUnsafeMutableBufferPointer { unpacked in
            slots.withUnsafeBufferPointer { CellSum.unpack(codes, $0, into: unpacked) }
        }
        unpacked.withUnsafeBufferPointer {
            addEntries(UnsafeBufferPointer(rebasing: $0[..<count]), scratch: &scratch.entries)
        }
    }

    /// Counts equal codes, without a branch for where the next one begins; returns how many are different.
    private static func unpack(
        _ codes: UnsafeBufferPointer<UInt16>, _ slots: UnsafeBufferPointer<UInt32>,
        into entries: UnsafeMutableBufferPointer<CellHistograms.Entry>
    ) -> Int {
        var last = codes[0], place = 0, count: Int64 = 0
        for code in codes {
            // All ones if the code is another one.
            let isNext = (0 &- Int64(code ^ last)) >> 63
            place &-= Int(isNext)
            count = (count & ~isNext) &+ 1
            entries[place] = CellHistograms.Entry(slot: SlotCode.slot(code, slots), count: count)
            last = code
        }
        return place + 1
    }

    /// Adds the rows of devices, and what is in their bins.
    mutating func add(_ added: DeviceCounts.Lent, scratch: inout Scratch) {
        devices.add(added, scratch: &scratch.devices)
    }

    private mutating func addEntries(
        _ added: UnsafeBufferPointer<CellHistograms.Entry>, scratch: inout [CellHistograms.Entry]
    ) {
        if entries.isEmpty { return entries.append(contentsOf: added) }
        if added.isEmpty { return }
        entries.withUnsafeBufferPointer { CellHistograms.merge($0, added, into: &scratch) }
        swap(&entries, &scratch)
    }
}

extension DeviceCounts {
    /// Adds other counts.
    package mutating func add(_ other: DeviceCounts, scratch: inout CellSum.Scratch) {
        add(other, scratch: &scratch.devices)
    }
}
