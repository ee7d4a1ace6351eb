import Models

/// What is to be added to one cell: rows, the bins of their figures, and the devices they came from.
struct CellSum {
    var samples: Int64 = 0
    /// Ascending by slot.
    var entries: [CellHistograms.Entry] = []
    /// Ascending, distinct.
    var devices: [UInt32] = []
    var source = CellSource()

    mutating func removeAll() {
        samples = 0
        source = CellSource()
        entries.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
    }

    /// Adds another sum.
    mutating func add(_ other: CellSum, scratch: inout CellSum) {
        samples += other.samples
        source.join(other.source)
        other.entries.withUnsafeBufferPointer { addEntries($0, scratch: &scratch.entries) }
        other.devices.withUnsafeBufferPointer { addDevices($0, scratch: &scratch.devices) }
    }

    /// Adds codes of ``SlotCode`` that ascend and repeat as often as they came.
    mutating func add(
        codes: UnsafeBufferPointer<UInt16>, unpacked: inout [CellHistograms.Entry],
        scratch: inout [CellHistograms.Entry]
    ) {
        unpacked.removeAll(keepingCapacity: true)
        var index = 0
        while index < codes.count {
            let code = codes[index]
            var end = index + 1
            while end < codes.count && codes[end] == code { end += 1 }
            unpacked.append(CellHistograms.Entry(slot: SlotCode.slot(code), count: Int64(end - index)))
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
        if added.isEmpty { return }
        let needed = entries.count + added.count
        if scratch.count < needed { scratch.append(contentsOf: repeatElement(.init(slot: 0, count: 0), count: needed)) }
        let count = entries.withUnsafeBufferPointer { mine in
            scratch.withUnsafeMutableBufferPointer { CellSum.merge(mine, added, into: $0.baseAddress!) }
        }
        scratch.removeLast(scratch.count - count)
        swap(&entries, &scratch)
    }

    /// Merges two ascending runs into memory with room for both; returns the length of the result.
    private static func merge(
        _ left: UnsafeBufferPointer<CellHistograms.Entry>, _ right: UnsafeBufferPointer<CellHistograms.Entry>,
        into start: UnsafeMutablePointer<CellHistograms.Entry>
    ) -> Int {
        guard var one = left.baseAddress, var other = right.baseAddress else { return 0 }  // neither is empty
        let oneEnd = one + left.count, otherEnd = other + right.count
        var out = start
        while one < oneEnd && other < otherEnd {
            let isOne = one.pointee.slot <= other.pointee.slot, isOther = one.pointee.slot >= other.pointee.slot
            out.pointee = isOne ? one.pointee : other.pointee
            if isOne && isOther { out.pointee.count += other.pointee.count }
            one += isOne ? 1 : 0
            other += isOther ? 1 : 0
            out += 1
        }
        out.update(from: one, count: oneEnd - one)
        out += oneEnd - one
        out.update(from: other, count: otherEnd - other)
        return out + (otherEnd - other) - start
    }
}
