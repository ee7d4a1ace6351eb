internal import GRDB
internal import Storage

/// Where the memories of devices are: bases in one table, deltas in another that is only written at its end.
///
///     memories        device → base, and through: the number of the last change that is in it
///     memory_changes  number → device, all changes since the base        the newest row of a device counts
///
/// A base is a page somewhere in a large tree, and a delta a hundred bytes behind those of the other uploads of the commit: so
/// most uploads write no page of their own. A base is written when its delta has grown (``isDueForBase(_:_:)``), and of the
/// oldest rows where `memory_changes` is over its limits; otherwise these go or move (``trim(rows:)``). Which row is the newest of
/// a device stands in memory, and is read again at the start. Confined to the thread that writes the database; uses its transaction.
final class MemoryStore {
    /// Bounds of `memory_changes`.
    struct Limits {
        /// Bytes of deltas. The table takes about a fifth more.
        var bytes = 256 << 20
        /// Devices whose newest row is kept in mind, about 50 bytes each.
        var devices = 300_000
        /// Bytes of deltas for each byte that counts. With two, a fifth of the rows that go move where devices come at random (of
        /// p that move p = e^(−2(1−p)) holds), and never more bytes than came.
        var generations = 2
    }

    /// A row of `memory_changes`.
    private struct Change {
        var number: Int64
        var bytes: Int
    }

    private let limits: Limits
    private let selectBase, insertBase, selectChange, insertChange, moveChange, oldest, trim: PreparedStatement
    /// The newest row of each device that has changes since its base.
    private var newest: [UInt64: Change] = [:]
    /// Bytes of their deltas.
    private var counting = 0
    /// Number of the first row since the start: of older ones it is not known whether they are in a base.
    private let start: Int64
    /// Number of the next row.
    private var next: Int64 = 1
    /// Bytes of all deltas that are in the table.
    private var bytes = 0
    /// What the running transaction changed, to be taken back if it fails.
    private var undo: [(device: UInt64, change: Change?)] = []
    private var before: (next: Int64, bytes: Int) = (1, 0)

    /// Reads which rows are there; in the transaction of the first commit.
    init(_ db: Database, limits: Limits = Limits()) throws {
        self.limits = limits
        selectBase = try PreparedStatement(db, "SELECT memory, through FROM memories WHERE device = ?")
        insertBase = try PreparedStatement(
            db, "INSERT OR REPLACE INTO memories (device, memory, through) VALUES (?, ?, ?)")
        selectChange = try PreparedStatement(db, "SELECT changes FROM memory_changes WHERE number = ?")
        insertChange = try PreparedStatement(
            db, "INSERT INTO memory_changes (number, device, changes) VALUES (?, ?, ?)")
        moveChange = try PreparedStatement(
            db,
            "INSERT INTO memory_changes (number, device, changes) SELECT ?, device, changes FROM memory_changes WHERE number = ?"
        )
        oldest = try PreparedStatement(
            db, "SELECT number, device, length(changes) FROM memory_changes ORDER BY number LIMIT ?")
        trim = try PreparedStatement(db, "DELETE FROM memory_changes WHERE number <= ?")
        oldest.bind(-1, 1)
        while try oldest.step() {
            let change = Change(number: oldest.integer(0), bytes: Int(oldest.integer(2)))
            // Of an erased device a row stays without it: 0.
            if oldest.integer(1) != 0 { newest[UInt64(bitPattern: oldest.integer(1))] = change }
            next = change.number + 1
            bytes += change.bytes
        }
        oldest.reset()
        counting = newest.values.reduce(0) { $0 + $1.bytes }
        before = (next, bytes)
        start = next
    }

    /// What is remembered of a device; of a new one, nothing.
    func memory(of device: UInt64) throws -> LayeredMemory {
        selectBase.bind(Int64(bitPattern: device), 1)
        defer { selectBase.reset() }
        let hasBase = try selectBase.step()
        let base = hasBase ? selectBase.bytes(0) : UnsafeRawBufferPointer(start: nil, count: 0)
        let through = hasBase ? selectBase.integer(1) : 0
        return LayeredMemory(
            base: try DeviceMemory(base), delta: try delta(of: device, after: through), baseSize: base.count)
    }

    /// The changes of a device since its base. A row that is in the base already may still be the newest after a start.
    private func delta(of device: UInt64, after through: Int64) throws -> DeviceMemory {
        guard let number = newest[device]?.number, number > through else { return DeviceMemory() }
        selectChange.bind(number, 1)
        defer { selectChange.reset() }
        guard try selectChange.step() else { throw DeviceMemory.Damage() }
        return try DeviceMemory(selectChange.bytes(0))
    }

    func save(_ memory: LayeredMemory, of device: UInt64) throws {
        let delta = memory.delta.encoded()
        if memory.isBaseStale || Self.isDueForBase(delta.count, memory.baseSize) {
            return try saveBase(memory, of: device)
        }
        insertChange.bind(next, 1)
        insertChange.bind(Int64(bitPattern: device), 2)
        try delta.withUnsafeBytes {
            insertChange.bind($0, 3)
            try insertChange.run()
        }
        set(Change(number: next, bytes: delta.count), for: device)
        next += 1
        bytes += delta.count
    }

    /// Whether a delta is so long that writing the base costs less than writing the delta again and again: a page has 2 048
    /// bytes, and the longer the base, the more pages it has. A page somewhere costs about twice one behind others.
    static func isDueForBase(_ delta: Int, _ base: Int) -> Bool { delta > 2_048 + base / 8 }

    private func saveBase(_ memory: LayeredMemory, of device: UInt64) throws {
        insertBase.bind(Int64(bitPattern: device), 1)
        insertBase.bind(next - 1, 3)
        try memory.merged.encoded().withUnsafeBytes {
            insertBase.bind($0, 2)
            try insertBase.run()
        }
        set(nil, for: device)
    }

    /// Keeps nothing in mind of a device; its rows are the caller's to erase.
    func forget(_ device: UInt64) { set(nil, for: device) }

    private func set(_ change: Change?, for device: UInt64) {
        let old = replace(change, for: device)
        undo.append((device, old))
    }

    /// - Returns: what stood there.
    private func replace(_ change: Change?, for device: UInt64) -> Change? {
        let old = newest[device]
        counting += (change?.bytes ?? 0) - (old?.bytes ?? 0)
        newest[device] = change
        return old
    }

    /// - Parameter due: devices of which a base is to be written.
    private func isOverLimits(_ due: Int = 0) -> Bool { bytes > limits.bytes || newest.count - due > limits.devices }
    private func hasTooManyRows(_ due: Int = 0) -> Bool { isOverLimits(due) || bytes > limits.generations * counting }

    /// Lets the oldest rows go while there are too many, at most `rows` at once. One that is the newest of its device moves behind
    /// all others, as in a log: a base would take more from what may stay than from what is there, and so would be followed by that of the
    /// next, of every device that comes seldom. Where the table is over its limits, it is a base. The newest row of all stays, so
    /// that numbers go on after a start.
    func trim(rows limit: Int) throws {
        guard hasTooManyRows() else { return }
        let (last, due, moved) = try takeOldest(limit)
        for device in moved { try move(device) }
        // Neighbours share pages.
        for device in due.sorted() { try saveBase(memory(of: device), of: device) }
        guard let last else { return }
        trim.bind(last, 1)
        try trim.run()
    }

    /// The last of the rows that are to go, at most so many, and the devices whose newest is one of them.
    private func takeOldest(_ limit: Int) throws -> (last: Int64?, due: [UInt64], moved: [UInt64]) {
        var last: Int64?, due: [UInt64] = [], moved: [UInt64] = []
        oldest.bind(Int64(limit), 1)
        defer { oldest.reset() }
        while hasTooManyRows(due.count), try oldest.step(), oldest.integer(0) < next - 1 {
            let number = oldest.integer(0), device = UInt64(bitPattern: oldest.integer(1))
            last = number
            if newest[device]?.number == number {
                if try isInBase(number, of: device) {
                    set(nil, for: device)
                } else if isOverLimits(due.count) {
                    due.append(device)
                } else {
                    moved.append(device)
                    continue
                }
            }
            bytes -= Int(oldest.integer(2))
        }
        return (last, due, moved)
    }

    /// Whether a device's base has a row already; only of those that were there at the start can that be.
    private func isInBase(_ number: Int64, of device: UInt64) throws -> Bool {
        guard number < start else { return false }
        selectBase.bind(Int64(bitPattern: device), 1)
        defer { selectBase.reset() }
        return try selectBase.step() && number <= selectBase.integer(1)
    }

    /// Writes the newest row of a device anew, behind all others; the old one is the caller's to delete.
    private func move(_ device: UInt64) throws {
        guard var change = newest[device] else { return }
        moveChange.bind(next, 1)
        moveChange.bind(change.number, 2)
        try moveChange.run()
        change.number = next
        set(change, for: device)
        next += 1
    }

    /// The transaction was committed.
    func commit() {
        undo.removeAll(keepingCapacity: true)
        before = (next, bytes)
    }

    /// The transaction was rolled back.
    func rollBack() {
        for (device, change) in undo.reversed() { _ = replace(change, for: device) }
        undo.removeAll(keepingCapacity: true)
        (next, bytes) = before
    }
}
