/// Numbers base cells in the order in which they first come: open addressing, with the last key remembered.
struct PlaceTable {
    /// The keys, by number.
    private(set) var keys: [PlaceKey] = []
    private var slots: [UInt32]
    private var mask: Int
    private var last = PlaceKey()
    private var lastNumber: UInt32 = .max
    private static let free = UInt32.max

    init() {
        slots = [UInt32](repeating: PlaceTable.free, count: 4_096)
        mask = slots.count - 1
    }

    /// The number of a key, a new one if it was not met before.
    @inline(__always)
    mutating func number(_ key: PlaceKey) -> UInt32 {
        if key == last && lastNumber != PlaceTable.free { return lastNumber }
        last = key
        lastNumber = find(key)
        return lastNumber
    }

    /// Forgets all keys, keeping the memory.
    mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = PlaceTable.free }
        lastNumber = PlaceTable.free
    }

    private mutating func find(_ key: PlaceKey) -> UInt32 {
        var slot = PlaceTable.hash(key) & mask
        while slots[slot] != PlaceTable.free {
            if keys[Int(slots[slot])] == key { return slots[slot] }
            slot = (slot + 1) & mask
        }
        let number = UInt32(keys.count)
        keys.append(key)
        slots[slot] = number
        if keys.count * 2 > slots.count { grow() }
        return number
    }

    private mutating func grow() {
        slots = [UInt32](repeating: PlaceTable.free, count: slots.count * 2)
        mask = slots.count - 1
        for (number, key) in keys.enumerated() {
            var slot = PlaceTable.hash(key) & mask
            while slots[slot] != PlaceTable.free { slot = (slot + 1) & mask }
            slots[slot] = UInt32(number)
        }
    }

    @inline(__always)
    private static func hash(_ key: PlaceKey) -> Int {
        var mixed = key.high &* 0x9E37_79B9_7F4A_7C15 ^ key.low
        mixed = (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: mixed >> 16)
    }
}
