import Models

/// How many rows devices have in a cell and, as long as they are few, how many samples each has in which bin.
///
/// A sum, like the histograms: adding the counts of two sets of rows gives those of their union, in any order.
package struct DeviceCounts: Equatable {
    /// A number of a device, in the order of devices.
    package struct Entry: Equatable {
        /// The device in the upper half; in the lower the slot of a bin, or 0 for the device's rows.
        package var key: UInt64
        package var count: Int64

        package init(device: UInt32, slot: UInt32, count: Int64) {
            key = UInt64(device) << 32 | UInt64(slot)
            self.count = count
        }

        package var device: UInt32 { UInt32(truncatingIfNeeded: key >> 32) }
        /// As in ``CellHistograms/Entry``; none is 0.
        package var slot: UInt32 { UInt32(truncatingIfNeeded: key) }
        package var isOfRows: Bool { slot == 0 }
    }

    /// The most devices whose samples are kept apart. More than of those of which it is published (``DeviceSpread/mostApart``),
    /// so that hardly a cell has to be counted anew when an erasure takes devices from it.
    package static let mostKept = 32

    /// Ascending by key. A device has an entry of its rows; those of its bins are there if ``areApart``.
    package private(set) var entries: [Entry] = []
    /// Devices.
    package private(set) var count = 0
    /// Whether the samples of each device are there.
    package private(set) var areApart = true

    package init() {}

    /// - Parameter entries: ascending, of whole devices.
    package init(_ entries: [Entry], areApart: Bool) {
        self.entries = entries
        self.areApart = areApart
        finish()
    }

    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        count = 0
        areApart = true
    }

    /// Begins with entries of any form, to which ``finish()`` belongs.
    mutating func begin(areApart: Bool) {
        entries.removeAll(keepingCapacity: true)
        self.areApart = areApart
    }

    /// Adds an entry behind all others.
    @inline(__always)
    mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Makes this a copy, in memory of its own.
    mutating func copy(_ other: DeviceCounts) {
        entries.removeAll(keepingCapacity: true)
        entries.append(contentsOf: other.entries)
        (count, areApart) = (other.count, other.areApart)
    }

    /// Counts that lie elsewhere; as long as they do.
    struct Lent {
        let entries: UnsafeBufferPointer<Entry>
        let count: Int
        let areApart: Bool
    }

    /// Adds other counts.
    mutating func add(_ other: DeviceCounts, scratch: inout [Entry]) {
        other.entries.withUnsafeBufferPointer {
            add(Lent(entries: $0, count: other.count, areApart: other.areApart), scratch: &scratch)
        }
    }

    /// Adds other counts.
    mutating func add(_ other: Lent, scratch: inout [Entry]) {
        if other.entries.isEmpty { return }
        guard !entries.isEmpty else {
            entries.append(contentsOf: other.entries)
            (count, areApart) = (other.count, other.areApart)
            return
        }
        if areApart, !other.areApart { forgetBins() }
        if areApart == other.areApart {
            merge(other.entries, scratch: &scratch)
        } else {
            other.entries.filter(\.isOfRows).withUnsafeBufferPointer { merge($0, scratch: &scratch) }
        }
    }

    private mutating func merge(_ other: UnsafeBufferPointer<Entry>, scratch: inout [Entry]) {
        let devices = entries.withUnsafeBufferPointer { Self.merge($0, other, into: &scratch) }
        swap(&entries, &scratch)
        finish(devices: devices)
    }

    /// Takes other counts away; false if there are fewer.
    mutating func subtract(_ other: DeviceCounts, scratch: inout [Entry]) -> Bool {
        guard other.areApart || !areApart else { return false }
        let taken = (areApart == other.areApart ? other.entries : other.entries.filter(\.isOfRows)).map {
            Entry(device: $0.device, slot: $0.slot, count: -$0.count)
        }
        entries.withUnsafeBufferPointer { entries in
            taken.withUnsafeBufferPointer { _ = Self.merge(entries, $0, into: &scratch) }
        }
        swap(&entries, &scratch)
        entries.removeAll { $0.count == 0 }
        finish()
        return entries.allSatisfy { $0.count > 0 }
    }

    /// Counts devices, and keeps them apart no longer if they are too many.
    mutating func finish() {
        finish(devices: areApart ? entries.count(where: \.isOfRows) : entries.count)
    }

    private mutating func finish(devices: Int) {
        count = devices
        if areApart, count > Self.mostKept { forgetBins() }
    }

    private mutating func forgetBins() {
        entries.removeAll { !$0.isOfRows }
        areApart = false
    }

    /// The devices, ascending.
    package var ordinals: [UInt32] { entries.lazy.filter(\.isOfRows).map(\.device) }

    /// Merges two runs that ascend by key, each key once, without a branch that depends on which of the two is next.
    ///
    /// Returns how many devices they have.
    private static func merge(
        _ left: UnsafeBufferPointer<Entry>, _ right: UnsafeBufferPointer<Entry>, into result: inout [Entry]
    ) -> Int {
        let missing = left.count + right.count - result.count
        if missing > 0 { result.append(contentsOf: repeatElement(Entry(device: 0, slot: 0, count: 0), count: missing)) }
        let (length, devices) = result.withUnsafeMutableBufferPointer { merge(left, right, at: $0) }
        result.removeLast(result.count - length)
        return devices
    }

    private static func merge(
        _ left: UnsafeBufferPointer<Entry>, _ right: UnsafeBufferPointer<Entry>,
        at result: UnsafeMutableBufferPointer<Entry>
    ) -> (length: Int, devices: Int) {
        var length = 0, devices = 0, one = 0, other = 0
        while one < left.count && other < right.count {
            let mine = left[one], theirs = right[other]
            let isMine = mine.key <= theirs.key, isOther = theirs.key <= mine.key
            var sum = isMine ? mine : theirs
            sum.count = (isMine ? mine.count : 0) &+ (isOther ? theirs.count : 0)
            result[length] = sum
            length += 1
            devices += sum.isOfRows ? 1 : 0
            one += isMine ? 1 : 0
            other += isOther ? 1 : 0
        }
        for index in one..<left.count {
            result[length] = left[index]
            length += 1
            devices += left[index].isOfRows ? 1 : 0
        }
        for index in other..<right.count {
            result[length] = right[index]
            length += 1
            devices += right[index].isOfRows ? 1 : 0
        }
        return (length, devices)
    }
}
