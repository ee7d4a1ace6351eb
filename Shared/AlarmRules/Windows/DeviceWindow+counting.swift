extension DeviceWindow {
    /// Devices whose last row within the window is bad (of one minute the bad row counts), and all.
    func latest() -> (bad: Int, all: Int) {
        var bad = 0
        for entry in entries where entry.bad != 0 {
            if entry.good == 0 || !Minutes.isLater(entry.good, than: entry.bad) { bad += 1 }
        }
        return (bad, entries.count)
    }

    /// Devices that said something bad in the `length` minutes that end with a minute.
    func bad(within length: Int32, of minute: Int32) -> Int {
        var count = 0
        for entry in entries where Minutes.isWithin(entry.bad, length, of: minute) { count += 1 }
        return count
    }

    /// The sum of the values of all devices.
    func sum() -> Int { entries.reduce(0) { $0 + Int($1.good) } }

    /// Joins what two windows know. As with rows, the order does not matter.
    mutating func merge(_ other: DeviceWindow, at minute: Int32, capacity: Int, hasValues: Bool) {
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + other.entries.count)
        var left = entries[...], right = other.entries[...]
        while let one = left.first, let two = right.first {
            if one.ordinal == two.ordinal {
                merged.append(Self.joined(one, two, hasValues))
                left.removeFirst()
                right.removeFirst()
            } else if one.hash < two.hash {
                merged.append(left.removeFirst())
            } else {
                merged.append(right.removeFirst())
            }
        }
        merged += left + right
        let leftOut = [leftOutAt, other.leftOutAt].compactMap(\.self).max()
        self = DeviceWindow(entries: merged, leftOutAt: leftOut)
        shrink(to: capacity, at: minute)
    }

    private static func joined(_ one: Entry, _ two: Entry, _ hasValues: Bool) -> Entry {
        if hasValues {
            if one.bad == two.bad { return Entry(ordinal: one.ordinal, bad: one.bad, good: min(one.good, two.good)) }
            return Minutes.isLater(two.bad, than: one.bad) ? two : one
        }
        return Entry(ordinal: one.ordinal, bad: later(one.bad, two.bad), good: later(one.good, two.good))
    }

    private static func later(_ one: UInt16, _ two: UInt16) -> UInt16 {
        two != 0 && Minutes.isLater(two, than: one) ? two : one
    }
}
