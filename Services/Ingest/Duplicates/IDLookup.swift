import IngestUploads

/// Which ids of one upload are known: the upload's ids in a small table, over which all known ids run once.
///
/// So nothing of a device's memory is sorted or hashed when it is read, and adding to it appends.
struct IDLookup {
    private var slots: [Int32]
    private let mask: Int
    private var ids: [UInt64] = []

    /// A table for so many ids at most.
    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = [Int32](repeating: -1, count: size)
        mask = size - 1
        ids.reserveCapacity(capacity)
        known.reserveCapacity(capacity)
    }

    /// Contents under which an id of the table is known, by its number; nil if it is not.
    private var known: [UInt16?] = []

    /// Adds an id, once.
    mutating func add(_ identity: RowIdentity) {
        var slot = Int(truncatingIfNeeded: identity.id) & mask
        while slots[slot] >= 0 {
            if ids[Int(slots[slot])] == identity.id { return }
            slot = (slot + 1) & mask
        }
        slots[slot] = Int32(ids.count)
        ids.append(identity.id)
        known.append(nil)
    }

    /// Marks those of the table that a memory knows.
    mutating func mark(_ buckets: IDBuckets) {
        for bucket in buckets.buckets {
            for (place, id) in bucket.ids.enumerated() {
                if let number = number(id) { known[number] = known[number] ?? bucket.contents[place] }
            }
        }
    }

    /// Whether an id is known; if not, it is from now on, for what follows in the upload.
    func finding(_ identity: RowIdentity) -> IDBuckets.Finding {
        guard let number = number(identity.id), let content = known[number] else { return .unknown }
        return content == UInt16(truncatingIfNeeded: identity.content >> 48) ? .duplicate : .conflict
    }

    mutating func remember(_ identity: RowIdentity) {
        if let number = number(identity.id) { known[number] = UInt16(truncatingIfNeeded: identity.content >> 48) }
    }

    private func number(_ id: UInt64) -> Int? {
        var slot = Int(truncatingIfNeeded: id) & mask
        while slots[slot] >= 0 {
            if ids[Int(slots[slot])] == id { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
    }
}
