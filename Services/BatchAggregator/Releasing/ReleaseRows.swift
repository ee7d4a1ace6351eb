import Releases

/// Rows that are to be released, in the order of their keys, as many as may be in memory: the first ones. What is left out is read
/// again when these are counted.
///
///     key   release 16 bits │ hour 5 │ stratum 4 │ place 45 │ device 32 │ where its bins stand 26
///
/// Bins are 16 bits each (`SlotCode`), after their number. Rows are sorted in runs, which ``ReleaseMerge`` merges.
struct ReleaseRows {
    struct Run {
        var keys: [UInt128] = []
        var bins: [UInt16] = []
    }

    /// Rows of a run that is sorted at once, in some milliseconds.
    private static let runRows = 32_768
    private static let offsetBits: UInt128 = 26
    private static let offsets: UInt128 = 1 << offsetBits - 1

    /// Rows before are counted already.
    let first: UInt128
    /// Rows from here on are left for the next pass; nil if there is none.
    private(set) var end: UInt128?
    private(set) var runs: [Run] = []
    private var filling = Run()
    private var limit: Int
    private var byteCount = 0

    /// - Parameter limit: most bytes, unless they are all of one device at one place.
    init(from first: UInt128, limit: Int) {
        self.first = first
        self.limit = limit
    }

    static func key(release: UInt16, hour: Int64, stratum: Int64, place: UInt64, device: UInt32) -> UInt128 {
        var key = UInt128(release) << 5 | UInt128(UInt64(hour & 31))
        key = key << 4 | UInt128(UInt64(stratum & 15))
        key = key << UInt128(Carry.orderBits) | UInt128(place)
        return (key << 32 | UInt128(device)) << offsetBits
    }

    static func release(_ key: UInt128) -> Int { Int(key >> 112) }
    static func hour(_ key: UInt128) -> UInt8 { UInt8(truncatingIfNeeded: key >> 107 & 31) }
    static func stratum(_ key: UInt128) -> UInt8 { UInt8(truncatingIfNeeded: key >> 103 & 15) }
    static func place(_ key: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: key >> 58) & (1 << 45 - 1) }
    static func device(_ key: UInt128) -> UInt32 { UInt32(truncatingIfNeeded: key >> offsetBits) }
    static func offset(_ key: UInt128) -> Int { Int(key & offsets) }

    /// Adds a row, if it is one of those of this pass.
    @inline(__always)
    mutating func add(_ key: UInt128, bins: UnsafeBufferPointer<UInt16>) {
        guard key >= first, end.map({ key < $0 }) ?? true else { return }
        filling.keys.append(key | UInt128(filling.bins.count))
        filling.bins.append(UInt16(bins.count))
        filling.bins.append(contentsOf: bins)
        if filling.keys.count == Self.runRows { sort() }
    }

    /// All rows were added.
    mutating func finish() { sort() }

    private mutating func sort() {
        guard !filling.keys.isEmpty else { return }
        filling.keys.sort()
        byteCount += Self.bytes(filling)
        runs.append(filling)
        filling = Run()
        while byteCount > limit { if !narrow() { limit *= 2 } }
    }

    /// Leaves out the second half of the rows; false if they are all of one device at one place.
    private mutating func narrow() -> Bool {
        // The middle of the middles: half of the rows, or at least a quarter of them, are on either side.
        let middles = runs.map { $0.keys[$0.keys.count / 2] & ~Self.offsets }.sorted()
        let middle = middles[middles.count / 2]
        guard let smallest = runs.map({ $0.keys[0] & ~Self.offsets }).min(), smallest < middle else { return false }
        end = middle
        runs = runs.compactMap { Self.rows(of: $0, before: middle) }
        byteCount = runs.reduce(0) { $0 + Self.bytes($1) }
        return true
    }

    private static func rows(of run: Run, before end: UInt128) -> Run? {
        guard let last = run.keys.last, last >= end else { return run }
        let count = run.keys.firstIndex { $0 >= end } ?? run.keys.count
        guard count > 0 else { return nil }
        var kept = Run()
        kept.keys.reserveCapacity(count)
        for key in run.keys[..<count] {
            let offset = Self.offset(key)
            kept.keys.append(key & ~offsets | UInt128(kept.bins.count))
            kept.bins.append(contentsOf: run.bins[offset...offset + Int(run.bins[offset])])
        }
        return kept
    }

    private static func bytes(_ run: Run) -> Int { 16 * run.keys.count + 2 * run.bins.count }
}

/// Gives the rows of a pass in the order of their keys.
struct ReleaseMerge {
    private let runs: [ReleaseRows.Run]
    private var places: [Int]
    /// Numbers of runs that have rows left, a heap by the key of the next one.
    private var heap: [Int]

    init(_ rows: ReleaseRows) {
        runs = rows.runs
        places = Array(repeating: 0, count: runs.count)
        heap = Array(runs.indices)
        for place in stride(from: heap.count / 2, through: 0, by: -1) { sink(place) }
    }

    /// Hands over the next row; false if there is none.
    mutating func next(_ body: (UInt128, ArraySlice<UInt16>) throws -> Void) rethrows -> Bool {
        guard let run = heap.first else { return false }
        let key = runs[run].keys[places[run]], offset = ReleaseRows.offset(key)
        try body(key, runs[run].bins[offset + 1...offset + Int(runs[run].bins[offset])])
        places[run] += 1
        if places[run] == runs[run].keys.count {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
        }
        sink(0)
        return true
    }

    private mutating func sink(_ from: Int) {
        var place = from
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if head(heap[child]) < head(heap[least]) { least = child }
            }
            guard least != place else { return }
            heap.swapAt(least, place)
            place = least
        }
    }

    private func head(_ run: Int) -> UInt128 { runs[run].keys[places[run]] }
}
