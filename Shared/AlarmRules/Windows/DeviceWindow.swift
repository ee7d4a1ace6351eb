internal import Models

/// What devices last said to a rule about one subject, 8 bytes a device.
///
///     0        4      6      8
///     ├────────┼──────┼──────┤   ordinal of the device · minute of its last bad row · minute of its last good row,
///     │ordinal │ bad  │ good │   minutes as ``Minutes/stamp(_:)``; where values are compared: minute · value
///     └────────┴──────┴──────┘
///
/// Of more than ``capacity`` devices those with the least hash of their ordinal stay. Which ones these are depends on no order, a
/// device is in the window or not whatever it says, and so shares among them are shares of all. In order of the hash.
struct DeviceWindow: Sendable, Equatable {
    /// Most devices of any window.
    static let mostDevices = 256

    struct Entry: Sendable, Equatable {
        let ordinal: UInt32
        /// Minute of the last bad row, or of the last one.
        var bad: UInt16
        /// Minute of the last good row, or the value of the last one.
        var good: UInt16

        var hash: UInt64 { SplitMix64.mixed(UInt64(ordinal)) }
    }

    private(set) var entries: [Entry] = []
    /// Minute in which a device was last left out for want of room; nil: never.
    private(set) var leftOutAt: Int32?

    init(entries: [Entry] = [], leftOutAt: Int32? = nil) {
        self.entries = entries
        self.leftOutAt = leftOutAt
    }

    /// Takes in that a device said good or bad in a minute. The order of rows does not matter.
    ///
    /// - Parameter isKept: false if a device that said nothing bad need not be known.
    mutating func note(_ ordinal: UInt32, isBad: Bool, at minute: Int32, capacity: Int, isKept: Bool) {
        let stamp = Minutes.stamp(minute)
        let place = place(of: ordinal)
        if place < entries.count, entries[place].ordinal == ordinal {
            if isBad {
                if Minutes.isLater(stamp, than: entries[place].bad) { entries[place].bad = stamp }
            } else if Minutes.isLater(stamp, than: entries[place].good) {
                entries[place].good = stamp
            }
        } else if isBad || isKept {
            insert(
                Entry(ordinal: ordinal, bad: isBad ? stamp : 0, good: isBad ? 0 : stamp), at: place, minute, capacity)
        }
    }

    /// Takes in the value of a device; the later stands, of one minute the lower.
    mutating func note(_ ordinal: UInt32, value: UInt16, at minute: Int32, capacity: Int) {
        let stamp = Minutes.stamp(minute)
        let place = place(of: ordinal)
        guard place < entries.count, entries[place].ordinal == ordinal else {
            return insert(Entry(ordinal: ordinal, bad: stamp, good: value), at: place, minute, capacity)
        }
        if entries[place].bad == stamp {
            entries[place].good = min(entries[place].good, value)
        } else if Minutes.isLater(stamp, than: entries[place].bad) {
            entries[place] = Entry(ordinal: ordinal, bad: stamp, good: value)
        }
    }

    /// Forgets what was said `length` minutes ago or earlier.
    mutating func expire(at minute: Int32, length: Int32, hasValues: Bool, needsBad: Bool) {
        var write = 0
        for read in entries.indices {
            var entry = entries[read]
            if !Minutes.isWithin(entry.bad, length, of: minute) { entry.bad = 0 }
            if hasValues {
                if entry.bad == 0 { continue }
            } else {
                if !Minutes.isWithin(entry.good, length, of: minute) { entry.good = 0 }
                if entry.bad == 0 && (needsBad || entry.good == 0) { continue }
            }
            entries[write] = entry
            write += 1
        }
        entries.removeSubrange(write...)
        if let left = leftOutAt, minute - left >= length { leftOutAt = nil }
    }

    /// Notes that devices had no room in a minute.
    mutating func leaveOut(at minute: Int32) { leftOutAt = max(leftOutAt ?? .min, minute) }

    /// Leaves the devices of least hash.
    mutating func shrink(to capacity: Int, at minute: Int32) {
        guard entries.count > capacity else { return }
        entries.removeSubrange(capacity...)
        entries = Array(entries)
        leftOutAt = minute
    }

    /// Forgets a device; false if it was not there.
    mutating func erase(_ ordinal: UInt32) -> Bool {
        let place = place(of: ordinal)
        guard place < entries.count, entries[place].ordinal == ordinal else { return false }
        entries.remove(at: place)
        return true
    }

    /// What is known of a device.
    func entry(_ ordinal: UInt32) -> Entry? {
        let place = place(of: ordinal)
        return place < entries.count && entries[place].ordinal == ordinal ? entries[place] : nil
    }

    /// The first place whose device does not have a lesser hash.
    private func place(of ordinal: UInt32) -> Int {
        let hash = SplitMix64.mixed(UInt64(ordinal))
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(_ entry: Entry, at place: Int, _ minute: Int32, _ capacity: Int) {
        if entries.count >= capacity {
            leftOutAt = max(leftOutAt ?? .min, minute)
            guard place < capacity else { return }
            entries.removeSubrange((capacity - 1)...)
        }
        entries.insert(entry, at: place)
    }
}
