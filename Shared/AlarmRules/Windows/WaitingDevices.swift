internal import Models

/// What devices said about one subject in one minute, until the watermark has passed that: one entry a device, the worst that it
/// said, or the lowest value. The order of rows does not matter.
///
/// Of more devices than ``capacity`` those with the least hash stay, as in a ``DeviceWindow``, so that a window is the same as if it
/// had been told of all. Entries lie in one array by hash, with open addressing; a value type without references besides it.
struct WaitingDevices: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let ordinal: UInt32
        /// Raw value of a ``Verdict``.
        var verdict: UInt16
        var isUsed = true

        static let unused = Entry(ordinal: 0, verdict: 0, isUsed: false)
    }

    let minute: Int32
    /// True for what is good of devices that are counted when they are bad: it matters only where a device is known already.
    let isGood: Bool
    /// True if a device had no room.
    private(set) var leftOut = false
    private(set) var count = 0
    /// Devices with a greater hash have no room.
    private var greatestHash = UInt64.max
    /// A power of two of places, at most three quarters used.
    private var places: [Entry]

    private static let fewestPlaces = 4
    /// Most devices of ``isGood``.
    static let mostGood = 4_096

    init(minute: Int32, isGood: Bool) {
        self.minute = minute
        self.isGood = isGood
        places = Array(repeating: .unused, count: Self.fewestPlaces)
    }

    /// Bytes that it takes.
    var byteCount: Int { places.count * MemoryLayout<Entry>.stride + MemoryLayout<WaitingDevices>.stride }

    /// Whether it was told of more devices than that.
    func isLeftOut(capacity: Int) -> Bool { leftOut || count > capacity }

    /// Entries in order of their hash, at most so many.
    func sorted(capacity: Int) -> [Entry] {
        let hashed = places.filter(\.isUsed).map { (hash: Self.hash($0.ordinal), entry: $0) }
        return hashed.sorted { $0.hash < $1.hash }.prefix(capacity).map(\.entry)
    }

    static func hash(_ ordinal: UInt32) -> UInt64 { SplitMix64.mixed(UInt64(ordinal)) }

    /// - Parameter hash: that of the ordinal.
    mutating func note(_ ordinal: UInt32, hash: UInt64, verdict: UInt16, capacity: Int) {
        guard hash <= greatestHash else {
            leftOut = true
            return
        }
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place].isUsed {
            if places[place].ordinal == ordinal {
                if verdict < places[place].verdict { places[place].verdict = verdict }
                return
            }
            place = (place + 1) & mask
        }
        places[place] = Entry(ordinal: ordinal, verdict: verdict)
        count += 1
        if count >= 2 * capacity {
            shrink(to: capacity)
        } else if 4 * count > 3 * places.count {
            fill(places.filter(\.isUsed), places.count * 2)
        }
    }

    /// Leaves the devices of least hash.
    mutating func shrink(to capacity: Int) {
        guard count > capacity else { return }
        let kept = sorted(capacity: capacity)
        greatestHash = kept.last.map { Self.hash($0.ordinal) } ?? 0
        leftOut = true
        fill(kept, Self.places(of: kept.count))
    }

    /// Takes in what devices said about another subject that is joined to this one.
    mutating func merge(_ other: WaitingDevices, capacity: Int) {
        greatestHash = min(greatestHash, other.greatestHash)
        leftOut = leftOut || other.leftOut
        for entry in other.places where entry.isUsed {
            note(entry.ordinal, hash: Self.hash(entry.ordinal), verdict: entry.verdict, capacity: capacity)
        }
    }

    /// Forgets a device.
    mutating func erase(_ ordinal: UInt32) {
        guard places.contains(where: { $0.isUsed && $0.ordinal == ordinal }) else { return }
        fill(places.filter { $0.isUsed && $0.ordinal != ordinal }, places.count)
    }

    private static func places(of count: Int) -> Int {
        var places = fewestPlaces
        while 4 * count > 3 * places { places *= 2 }
        return places
    }

    private mutating func fill(_ entries: [Entry], _ size: Int) {
        places = Array(repeating: .unused, count: size)
        count = entries.count
        for entry in entries {
            var place = Int(truncatingIfNeeded: Self.hash(entry.ordinal)) & (size - 1)
            while places[place].isUsed { place = (place + 1) & (size - 1) }
            places[place] = entry
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.minute == right.minute && left.isGood == right.isGood && left.leftOut == right.leftOut
            && left.greatestHash == right.greatestHash
            && left.sorted(capacity: .max) == right.sorted(capacity: .max)
    }
}

extension WaitingDevices {
    /// Minute, flags, greatest hash, then devices in the order of their hash.
    func write(_ writer: inout WindowWriter) {
        writer.put(signed: Int64(minute))
        writer.put(UInt8(isGood ? 1 : 0) | (leftOut ? 2 : 0))
        writer.put(fixed: greatestHash)
        writer.put(count)
        for entry in sorted(capacity: .max) {
            writer.put(entry.ordinal)
            writer.put(entry.verdict)
        }
    }

    init(_ reader: inout WindowReader) throws(StateError) {
        let minute = Int32(clamping: try reader.signed()), flags: UInt8 = try reader.narrow()
        self.init(minute: minute, isGood: flags & 1 != 0)
        leftOut = flags & 2 != 0
        greatestHash = try reader.fixed()
        var entries: [Entry] = []
        for _ in 0..<(try reader.count()) {
            entries.append(Entry(ordinal: try reader.narrow(), verdict: try reader.narrow()))
        }
        fill(entries, Self.places(of: entries.count))
    }
}
