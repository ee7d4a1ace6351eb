import Models

/// What is to be added to one cell: rows, the bins of their figures, and the devices they came from.
struct CellSum {
    var samples: Int64 = 0
    /// Ascending by slot.
    var entries: [CellHistograms.Entry] = []
    /// Ascending, distinct.
    var devices: [UInt32] = []

    mutating func removeAll() {
        samples = 0
        entries.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
    }

    /// Adds another sum.
    mutating func add(_ other: CellSum, scratch: inout CellSum) {
        samples += other.samples
        other.entries.withUnsafeBufferPointer { addEntries($0, scratch: &scratch.entries) }
        other.devices.withUnsafeBufferPointer { addDevices($0, scratch: &scratch.devices) }
    }

    /// Adds slots that ascend and repeat as often as they came.
    mutating func add(
        slots: UnsafeBufferPointer<UInt32>, unpacked: inout [CellHistograms.Entry],
        scratch: inout [CellHistograms.Entry]
    ) {
        unpacked.removeAll(keepingCapacity: true)
        var index = 0
        while index < slots.count {
            let slot = slots[index]
            var end = index + 1
            while end < slots.count && slots[end] == slot { end += 1 }
            unpacked.append(CellHistograms.Entry(slot: slot, count: Int64(end - index)))
            index = end
        }
        unpacked.withUnsafeBufferPointer { addEntries($0, scratch: &scratch) }
    }

    /// Adds devices that ascend, distinct or not.
    mutating func addDevices(_ added: UnsafeBufferPointer<UInt32>, scratch: inout [UInt32]) {
        scratch.removeAll(keepingCapacity: true)
        scratch.reserveCapacity(devices.count + added.count)
        devices.withUnsafeBufferPointer { mine in
            var left = 0, right = 0
            while left < mine.count || right < added.count {
                let next: UInt32
                if right == added.count || (left < mine.count && mine[left] <= added[right]) {
                    next = mine[left]
                    left += 1
                } else {
                    next = added[right]
                    right += 1
                }
                if scratch.last != next { scratch.append(next) }
            }
        }
        swap(&devices, &scratch)
    }

    private mutating func addEntries(
        _ added: UnsafeBufferPointer<CellHistograms.Entry>, scratch: inout [CellHistograms.Entry]
    ) {
        if entries.isEmpty { return entries.append(contentsOf: added) }
        scratch.removeAll(keepingCapacity: true)
        scratch.reserveCapacity(entries.count + added.count)
        entries.withUnsafeBufferPointer { mine in
            var left = 0, right = 0
            while left < mine.count && right < added.count {
                if mine[left].slot < added[right].slot {
                    scratch.append(mine[left])
                    left += 1
                } else if mine[left].slot > added[right].slot {
                    scratch.append(added[right])
                    right += 1
                } else {
                    scratch.append(.init(slot: mine[left].slot, count: mine[left].count + added[right].count))
                    left += 1
                    right += 1
                }
            }
            scratch.append(contentsOf: mine[left...])
            scratch.append(contentsOf: added[right...])
        }
        swap(&entries, &scratch)
    }
}
