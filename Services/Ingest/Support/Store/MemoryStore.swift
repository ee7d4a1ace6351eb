package import GRDB
package import IngestDuplicates
internal import Storage

/// Where the memories of devices are: bases in one table, changes in another that is only written at its end.
///
///     memories        device → base, and through: the number of the last change that is in it
///     memory_changes  number → device, changes, previous: the row of the device that counts with it, 0 if none,
///                              total: bytes of all that count                the newest row of a device counts
///
/// A base is a page somewhere in a large tree, and changes are a hundred bytes behind those of the other uploads of the commit: so
/// most uploads write no page of their own. A row takes in those before it that are hardly longer than itself
/// (``LayeredMemory/keptLayers``). A base is written when its changes have grown (``isDueForBase(_:_:)``), and of the
/// oldest rows where `memory_changes` is over its limits; otherwise these go or move (``trim(rows:)``). Which row is the newest of
/// a device stands in memory, and is read again at the start. Confined to the thread that writes the database; uses its transaction.
package final class MemoryStore {
    /// Bounds of `memory_changes`.
    package struct Limits {
        /// Bytes of changes. The table takes about a fifth more.
        var bytes = 256 << 20
        /// Devices whose newest row is kept in mind, about 60 bytes each.
        var devices = 300_000
        /// Bytes of changes for each byte that counts. With two, what moves is never more than what uploads write.
        var generations = 2
    }

    /// The rows of a device that count: the newest, and which it is linked to.
    private struct Chain {
        /// Of the newest row.
        var number: Int64
        /// Of the oldest.
        var first: Int64
        /// Of all of them.
        var bytes: Int
    }

    private let limits: Limits
    private let selectBase, insertBase, selectChange, insertChange, oldest, trim: PreparedStatement
    /// Rows of each device that has changes since its base.
    private var chains: [UInt64: Chain] = [:]
    /// Bytes of their changes.
    private var counting = 0
    /// Number of the first row since the start: of older ones it is not known whether they are in a base.
    private let start: Int64
    /// Number of the next row.
    private var next: Int64 = 1
    /// Bytes of all changes that are in the table.
    private var bytes = 0
    /// What the running transaction changed, to be taken back if it fails.
    private var undo: [(device: UInt64, chain: Chain?)] = []
    private var before: (next: Int64, bytes: Int) = (1, 0)

    /// Reads which rows are there; in the transaction of the first commit.
    package init(_ db: Database, limits: Limits = Limits()) throws {
        self.limits = limits
        selectBase = try PreparedStatement(db, "SELECT memory, through FROM memories WHERE device = ?")
        insertBase = try PreparedStatement(
            db, "INSERT OR REPLACE INTO memories (device, memory, through) VALUES (?, ?, ?)")
        selectChange = try PreparedStatement(db, "SELECT changes, previous FROM memory_changes WHERE number = ?")
        insertChange = try PreparedStatement(
            db, "INSERT INTO memory_changes (number, device, previous, total, changes) VALUES (?, ?, ?, ?, ?)")
        oldest = try PreparedStatement(
            db, "SELECT number, device, length(changes), previous, total FROM memory_changes ORDER BY number LIMIT ?")
        trim = try PreparedStatement(db, "DELETE FROM memory_changes WHERE number <= ?")
        oldest.bind(-1, 1)
        while try oldest.step() {
            let number = oldest.integer(0), device = UInt64(bitPattern: oldest.integer(1))
            // Of an erased device a row stays without it: 0.
            if device != 0 {
                // Rows whose first is gone are in a base, or their device is being erased.
                let first = oldest.integer(3) == 0 ? number : chains[device]?.first
                let size = Int(oldest.integer(4))
                chains[device] = first.map { Chain(number: number, first: $0, bytes: size) }
            }
            next = number + 1
            bytes += Int(oldest.integer(2))
        }
        oldest.reset()
        counting = chains.values.reduce(0) { $0 + $1.bytes }
        before = (next, bytes)
        start = next
    }

    /// What is remembered of a device; of a new one, nothing.
    package func memory(of device: UInt64) throws -> LayeredMemory {
        selectBase.bind(Int64(bitPattern: device), 1)
        defer { selectBase.reset() }
        let hasBase = try selectBase.step()
        let base = hasBase ? selectBase.bytes(0) : UnsafeRawBufferPointer(start: nil, count: 0)
        let through = hasBase ? selectBase.integer(1) : 0
        return LayeredMemory(
            base: try DeviceMemory(base), changes: try changes(of: device, after: through), baseSize: base.count)
    }

    /// The changes of a device since its base, oldest first. Rows that are in the base already may still be the newest after a start.
    private func changes(of device: UInt64, after through: Int64) throws -> [LayeredMemory.Layer] {
        guard let newest = chains[device]?.number, newest > through else { return [] }
        var layers: [LayeredMemory.Layer] = [], number = newest
        while number != 0 {
            selectChange.bind(number, 1)
            defer { selectChange.reset() }
            guard try selectChange.step() else { throw DeviceMemory.Damage() }
            let changes = selectChange.bytes(0), previous = selectChange.integer(1)
            layers.append(.init(memory: try DeviceMemory(changes), number: number, size: changes.count))
            guard previous < number else { throw DeviceMemory.Damage() }
            number = previous
        }
        layers.reverse()
        return layers
    }

    package func save(_ memory: LayeredMemory, of device: UInt64) throws {
        let kept = memory.keptLayers, changes = memory.delta(behind: kept.count)
        let total = kept.reduce(changes.encodedSize) { $0 + $1.size }
        if memory.isBaseStale || Self.isDueForBase(total, memory.baseSize) { return try saveBase(memory, of: device) }
        try append(changes, behind: kept, of: device)
    }

    /// Writes changes of a device behind all others.
    ///
    /// - Parameter kept: rows of it that go on counting.
    private func append(_ changes: DeviceMemory, behind kept: ArraySlice<LayeredMemory.Layer>, of device: UInt64) throws
    {
        let changes = changes.encoded(), total = kept.reduce(changes.count) { $0 + $1.size }
        insertChange.bind(next, 1)
        insertChange.bind(Int64(bitPattern: device), 2)
        insertChange.bind(kept.last?.number ?? 0, 3)
        insertChange.bind(Int64(total), 4)
        try changes.withUnsafeBytes {
            insertChange.bind($0, 5)
            try insertChange.run()
        }
        set(Chain(number: next, first: kept.first?.number ?? next, bytes: total), for: device)
        next += 1
        bytes += changes.count
    }

    /// Whether changes are so long that a base costs less than reading and writing them again and again: a page has 2 048
    /// bytes, and the longer the base, the more pages it has. A page somewhere costs about twice one behind others.
    static func isDueForBase(_ changes: Int, _ base: Int) -> Bool { changes > 2_048 + base / 8 }

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
    package func forget(_ device: UInt64) { set(nil, for: device) }

    private func set(_ chain: Chain?, for device: UInt64) {
        let old = replace(chain, for: device)
        undo.append((device, old))
    }

    /// - Returns: what stood there.
    private func replace(_ chain: Chain?, for device: UInt64) -> Chain? {
        let old = chains[device]
        counting += (chain?.bytes ?? 0) - (old?.bytes ?? 0)
        chains[device] = chain
        return old
    }

    /// - Parameter due: devices of which a base is to be written.
    private func isOverLimits(_ due: Int = 0) -> Bool { bytes > limits.bytes || chains.count - due > limits.devices }
    private func hasTooManyRows(_ due: Int = 0) -> Bool { isOverLimits(due) || bytes > limits.generations * counting }

    /// Lets the oldest rows go while there are too many, at most `rows` at once. One that counts moves behind all others with those
    /// that count with it, as one row, as in a log: a base would take more from what may stay than from what is there, and so would be followed by that of the
    /// next, of every device that comes seldom. Where the table is over its limits, it is a base. The newest row of all stays, so
    /// that numbers go on after a start.
    package func trim(rows limit: Int) throws {
        guard hasTooManyRows() else { return }
        let (last, due, moved) = try takeOldest(limit)
        for device in moved { try move(device) }
        // Neighbours share pages.
        for device in due.sorted() { try saveBase(memory(of: device), of: device) }
        guard let last else { return }
        trim.bind(last, 1)
        try trim.run()
    }

    /// The last of the rows that are to go, at most so many, and the devices of which one counts.
    ///
    /// Of a device's rows that count the oldest comes first: what comes before it counts no more, what comes behind it moves with it.
    private func takeOldest(_ limit: Int) throws -> (last: Int64?, due: [UInt64], moved: [UInt64]) {
        var last: Int64?, due: [UInt64] = [], moved: [UInt64] = []
        oldest.bind(Int64(limit), 1)
        defer { oldest.reset() }
        while hasTooManyRows(due.count), try oldest.step(), oldest.integer(0) < next - 1 {
            let number = oldest.integer(0), device = UInt64(bitPattern: oldest.integer(1))
            last = number
            bytes -= Int(oldest.integer(2))
            guard let chain = chains[device], chain.first == number else { continue }
            if try isInBase(number, of: device) {
                set(nil, for: device)
            } else if isOverLimits(due.count) {
                due.append(device)
            } else {
                moved.append(device)
                bytes += chain.bytes
            }
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

    /// Writes what counts of a device anew, behind all others; the old rows are the caller's to delete.
    private func move(_ device: UInt64) throws {
        guard let chain = chains[device] else { return }
        let memory = LayeredMemory(changes: try changes(of: device, after: 0))
        bytes -= chain.bytes
        try append(memory.delta(behind: 0), behind: [], of: device)
    }

    /// The transaction was committed.
    package func commit() {
        undo.removeAll(keepingCapacity: true)
        before = (next, bytes)
    }

    /// The transaction was rolled back.
    package func rollBack() {
        for (device, chain) in undo.reversed() { _ = replace(chain, for: device) }
        undo.removeAll(keepingCapacity: true)
        (next, bytes) = before
    }
}
