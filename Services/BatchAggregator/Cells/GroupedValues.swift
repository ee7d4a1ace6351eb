/// Numbers that come one by one for a group each, and are wanted group by group, ascending.
///
/// Sorted by two stable counting passes, by value and then by group, when there are many; each group by itself otherwise.
struct GroupedValues<Value: FixedWidthInteger & UnsignedInteger> {
    private var groups: [UInt32] = []
    private var values: [Value] = []
    private var sorted: [Value] = []
    private var starts: [Int] = []
    /// Values from which counting all that 16 bits can be pays.
    private static var many: Int { 50_000 }

    var count: Int { values.count }

    @inline(__always)
    mutating func append(_ value: Value, group: UInt32) {
        groups.append(group)
        values.append(value)
    }

    mutating func removeAll() {
        groups.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        sorted.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    /// Puts the values of each group together, ascending.
    mutating func group(_ groupCount: Int) {
        let isCounted = Value.bitWidth <= 16 && values.count >= Self.many
        if isCounted { sortByValue() }
        starts = [Int](repeating: 0, count: groupCount + 1)
        for group in groups { starts[Int(group) + 1] += 1 }
        for group in 0..<groupCount { starts[group + 1] += starts[group] }
        sorted.append(contentsOf: repeatElement(0, count: values.count))
        var next = starts
        sorted.withUnsafeMutableBufferPointer { sorted in
            for index in 0..<values.count {
                let group = Int(groups[index])
                sorted[next[group]] = values[index]
                next[group] += 1
            }
            guard !isCounted else { return }
            for group in 0..<groupCount where starts[group + 1] - starts[group] > 1 {
                sorted[starts[group]..<starts[group + 1]].sort()
            }
        }
    }

    /// Lends the values of a group, ascending, repeated as often as they came.
    @inline(__always)
    func withGroup<Result>(_ group: Int, _ body: (UnsafeBufferPointer<Value>) throws -> Result) rethrows -> Result {
        try sorted.withUnsafeBufferPointer {
            try body(UnsafeBufferPointer(rebasing: $0[starts[group]..<starts[group + 1]]))
        }
    }

    private mutating func sortByValue() {
        var next = [Int](repeating: 0, count: 1 << Value.bitWidth + 1)
        for value in values { next[Int(value) + 1] += 1 }
        for value in 1..<next.count { next[value] += next[value - 1] }
        let count = values.count
        var byValue = [Value](repeating: 0, count: count), theirGroups = [UInt32](repeating: 0, count: count)
        for index in 0..<count {
            let place = next[Int(values[index])]
            next[Int(values[index])] = place + 1
            byValue[place] = values[index]
            theirGroups[place] = groups[index]
        }
        values = byValue
        groups = theirGroups
    }
}
