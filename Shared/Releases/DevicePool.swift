/// The samples of one metric that have come together in a cell and are in no atom yet: how often which device had which bin.
struct DevicePool: Sendable {
    /// One device and one bin.
    struct Entry: Sendable {
        /// `device << 32 | (bin + 0x8000) << 16 | count`.
        let bits: UInt64

        var device: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
        var bin: Int32 { Int32(bits >> 16 & 0xffff) - 0x8000 }
        var count: Int64 { Int64(bits & 0xffff) }
        /// Device and bin.
        var place: UInt64 { bits >> 16 }
    }

    private(set) var entries: [Entry] = []
    /// From how many entries on they are counted together.
    private var crowded = DevicePool.few

    private static let few = 4_096
    private static let mostCounted: UInt64 = 0xffff

    var isEmpty: Bool { entries.isEmpty }

    /// Adds a sample. Bins of plausible values lie between −156 and 1 216.
    @inline(__always)
    mutating func add(_ device: UInt32, bin: Int32) {
        let place = UInt64(device) << 16 | UInt64(UInt16(truncatingIfNeeded: bin + 0x8000))
        if let last = entries.last, last.place == place, last.bits & Self.mostCounted < Self.mostCounted {
            entries[entries.count - 1] = Entry(bits: last.bits + 1)
            return
        }
        entries.append(Entry(bits: place << 16 | 1))
        if entries.count >= crowded { merge() }
    }

    /// Takes over the samples of another.
    mutating func add(_ other: DevicePool) {
        entries.append(contentsOf: other.entries)
        if entries.count >= crowded { merge() }
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: entries.capacity <= 4 * Self.few)
        crowded = Self.few
    }

    /// Sorts by device and bin, and counts each pair once.
    mutating func merge() {
        entries.sort { $0.bits < $1.bits }
        var kept = 0
        // By place: the array is written while it is read.
        for place in entries.indices {
            let entry = entries[place]
            if kept > 0, entries[kept - 1].place == entry.place,
                entries[kept - 1].bits & Self.mostCounted + entry.bits & Self.mostCounted <= Self.mostCounted
            {
                entries[kept - 1] = Entry(bits: entries[kept - 1].bits + entry.bits & Self.mostCounted)
            } else {
                entries[kept] = entry
                kept += 1
            }
        }
        entries.removeLast(entries.count - kept)
        crowded = max(Self.few, 2 * kept)
    }

    /// How many devices there are; the pool must be merged.
    var devices: Int {
        var count = 0, last: UInt32?
        for entry in entries where entry.device != last {
            count += 1
            last = entry.device
        }
        return count
    }
}
