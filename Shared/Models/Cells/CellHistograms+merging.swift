extension CellHistograms {
    /// Adds `entries`, ascending by slot, to encoded histograms and writes the sum.
    ///
    /// Negative counts take samples away; bins that come to nothing are left out. Returns false, and the writer's
    /// content is worthless, if the bytes are not encoded histograms or a bin would hold less than nothing.
    ///
    /// All bins are read, then merged, then written: where one loop does all three, the processor guesses wrong at every other bin
    /// which run the next one comes from.
    public static func merge(
        _ encoded: UnsafeRawBufferPointer, adding entries: UnsafeBufferPointer<Entry>,
        into writer: inout CellHistogramWriter
    ) -> Bool {
        var (stored, sum) = writer.lendRuns()
        defer { writer.takeBack(stored, sum) }
        guard let count = read(encoded, into: &stored) else { return false }
        makeRoom(for: count + entries.count, in: &sum)
        let length = stored.withUnsafeBufferPointer { stored in
            sum.withUnsafeMutableBufferPointer {
                merge(UnsafeBufferPointer(rebasing: stored[..<count]), entries, at: $0.baseAddress!)
            }
        }
        writer.begin()
        return writer.write(bytes: encoded.count, entries: entries.count) { pen in
            for entry in sum[..<length] {
                if entry.count <= 0 {
                    if entry.count == 0 { continue }
                    return false
                }
                pen.append(entry)
            }
            return true
        }
    }

    /// Merges two runs that ascend by slot, each slot once; equal slots are added up.
    public static func merge(
        _ left: UnsafeBufferPointer<Entry>, _ right: UnsafeBufferPointer<Entry>, into result: inout [Entry]
    ) {
        makeRoom(for: left.count + right.count, in: &result)
        let count = result.withUnsafeMutableBufferPointer { merge(left, right, at: $0.baseAddress!) }
        result.removeLast(result.count - count)
    }

    /// Without a branch that depends on which of the two is next; returns the length of the result.
    private static func merge(
        _ left: UnsafeBufferPointer<Entry>, _ right: UnsafeBufferPointer<Entry>, at start: UnsafeMutablePointer<Entry>
    ) -> Int {
        var out = start, one = 0, other = 0
        if let lefts = left.baseAddress, let rights = right.baseAddress {
            while one < left.count && other < right.count {
                let mine = lefts[one], theirs = rights[other]
                let difference = Int(mine.slot) &- Int(theirs.slot)
                // All ones where the other's bin, or mine, comes first: comparisons would become branches.
                let isOther = (0 &- difference) >> (Int.bitWidth - 1), isMine = difference >> (Int.bitWidth - 1)
                out.pointee = Entry(
                    slot: UInt32(truncatingIfNeeded: Int(theirs.slot) &+ difference & isMine),
                    count: (mine.count & ~Int64(isOther)) &+ (theirs.count & ~Int64(isMine)))
                one &+= 1 &+ isOther
                other &+= 1 &+ isMine
                out += 1
            }
        }
        copy(left[one...], to: &out)
        copy(right[other...], to: &out)
        return out - start
    }

    private static func copy(_ rest: Slice<UnsafeBufferPointer<Entry>>, to out: inout UnsafeMutablePointer<Entry>) {
        guard !rest.isEmpty, let first = UnsafeBufferPointer(rebasing: rest).baseAddress else { return }
        out.update(from: first, count: rest.count)
        out += rest.count
    }

    /// Makes a run at least so long, and longer than nothing.
    private static func makeRoom(for count: Int, in run: inout [Entry]) {
        let missing = max(count, 1) - run.count
        if missing > 0 { run.append(contentsOf: repeatElement(Entry(slot: 0, count: 0), count: missing)) }
    }

    /// Reads all bins to the beginning of a run; returns how many, nil if the bytes are no histograms.
    private static func read(_ encoded: UnsafeRawBufferPointer, into run: inout [Entry]) -> Int? {
        guard var reader = CellHistogramReader(encoded) else { return nil }
        // A bin takes a byte at least.
        makeRoom(for: encoded.count, in: &run)
        let count = run.withUnsafeMutableBufferPointer { run in
            var count = 0
            while let entry = reader.next() {
                run[count] = entry
                count += 1
            }
            return count
        }
        return reader.isSound ? count : nil
    }
}
