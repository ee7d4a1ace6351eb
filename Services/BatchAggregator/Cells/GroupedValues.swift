import Storage

/// Numbers of a group each, wanted group by group, ascending. Keeps its memory.
///
/// Of values of 64 bits the upper half decides; those with the same one stay in the order in which they were put.
///
/// They come twice: first those of each group are counted, then each is put in its place, so that there is one array of them.
struct GroupedValues<Value: FixedWidthInteger & UnsignedInteger> {
    private var values: [Value] = []
    /// Of each group: while values are put in, where its next goes; then where it ends.
    private var ends: [Int] = []
    private var scratch: [Value] = []
    /// Values of a group from which counting byte by byte is quicker than comparing.
    private static var many: Int { Value.bitWidth <= 16 ? 40 : 64 }
    /// The lowest bit that decides.
    private static var lowest: Int { Value.bitWidth > 32 ? 32 : 0 }

    var count: Int { values.count }

    /// Takes the values of so many groups.
    ///
    /// - Parameters:
    ///   - counting: adds to each group how many values it has.
    ///   - putting: hands over these values, each with its group.
    mutating func load(
        groups: Int, counting: (inout [Int]) -> Void, putting: (Places) -> Void
    ) {
        ends.removeAll(keepingCapacity: true)
        ends.append(contentsOf: repeatElement(0, count: groups))
        counting(&ends)
        var total = 0
        for group in 0..<groups {
            let start = total
            total += ends[group]
            ends[group] = start
        }
        values.removeAll(keepingCapacity: true)
        values.reserveCapacity(total)
        values.append(contentsOf: repeatElement(0, count: total))
        values.withUnsafeMutableBufferPointer { values in
            ends.withUnsafeMutableBufferPointer { putting(Places(values: values, next: $0)) }
        }
        for group in 0..<groups {
            if group & 15 == 0 { IdleTurn.giveWay() }
            sort(range(group))
        }
    }

    /// Where values go. Confined to the call that lends it.
    struct Places {
        fileprivate let values: UnsafeMutableBufferPointer<Value>
        fileprivate let next: UnsafeMutableBufferPointer<Int>

        @inline(__always)
        func put(_ value: Value, group: UInt32) {
            precondition(Int(group) < next.count, "a group beyond those that were counted")
            let place = next[Int(group)]
            precondition(place < values.count, "more values than were counted")
            values[place] = value
            next[Int(group)] = place + 1
        }
    }

    /// Lends the values of a group, ascending, repeated as often as they came.
    @inline(__always)
    func withGroup<Result>(_ group: Int, _ body: (UnsafeBufferPointer<Value>) throws -> Result) rethrows -> Result {
        try values.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range(group)])) }
    }

    private func range(_ group: Int) -> Range<Int> { (group == 0 ? 0 : ends[group - 1])..<ends[group] }

    private mutating func sort(_ range: Range<Int>) { Self.sort(&values, range, scratch: &scratch) }

    /// Sorts some of an array's values, as those of a group are.
    ///
    /// - Parameter scratch: keeps memory for the next call.
    static func sort(_ values: inout [Value], _ range: Range<Int>, scratch: inout [Value]) {
        guard range.count > 1 else { return }
        if range.count >= many, scratch.count < range.count { scratch = [Value](repeating: 0, count: range.count) }
        values.withUnsafeMutableBufferPointer { values in
            let values = UnsafeMutableBufferPointer(rebasing: values[range])
            if range.count < many { return sortByInserting(values) }
            scratch.withUnsafeMutableBufferPointer {
                sortByBytes(values, UnsafeMutableBufferPointer(rebasing: $0[..<range.count]))
            }
        }
    }

    private static func sortByInserting(_ values: UnsafeMutableBufferPointer<Value>) {
        for index in 1..<values.count {
            let value = values[index]
            var place = index
            while place > 0, values[place - 1] >> Value(lowest) > value >> Value(lowest) {
                values[place] = values[place - 1]
                place -= 1
            }
            values[place] = value
        }
    }

    /// Sorts by the lowest byte first, and so on (LSD radix sort); an even number of passes leaves the result in place.
    private static func sortByBytes(
        _ values: UnsafeMutableBufferPointer<Value>, _ scratch: UnsafeMutableBufferPointer<Value>
    ) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { next in
            var from = values, to = scratch
            for shift in stride(from: lowest, to: Value.bitWidth, by: 8) {
                next.update(repeating: 0)
                for value in from { next[Int(truncatingIfNeeded: value &>> Value(shift)) & 0xff] += 1 }
                var total = 0
                for byte in 0..<256 {
                    let start = total
                    total += next[byte]
                    next[byte] = start
                }
                for value in from {
                    let byte = Int(truncatingIfNeeded: value &>> Value(shift)) & 0xff
                    to[next[byte]] = value
                    next[byte] += 1
                }
                swap(&from, &to)
            }
        }
    }
}
