/// Numbers that come one by one for a group each, and are wanted group by group: a counting sort.
struct GroupedValues {
    private var groups: [UInt32] = []
    private var values: [UInt32] = []
    private var sorted: [UInt32] = []
    private var starts: [Int] = []

    var count: Int { values.count }

    @inline(__always)
    mutating func append(_ value: UInt32, group: UInt32) {
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
        starts = [Int](repeating: 0, count: groupCount + 1)
        for group in groups { starts[Int(group) + 1] += 1 }
        for group in 0..<groupCount { starts[group + 1] += starts[group] }
        sorted.append(contentsOf: repeatElement(0, count: values.count))
        var next = starts
        sorted.withUnsafeMutableBufferPointer { sorted in
            for (index, group) in groups.enumerated() {
                sorted[next[Int(group)]] = values[index]
                next[Int(group)] += 1
            }
            for group in 0..<groupCount where starts[group + 1] - starts[group] > 1 {
                sorted[starts[group]..<starts[group + 1]].sort()
            }
        }
    }

    /// Lends the values of a group, ascending, repeated as often as they came.
    @inline(__always)
    func withGroup<Result>(_ group: Int, _ body: (UnsafeBufferPointer<UInt32>) throws -> Result) rethrows -> Result {
        try sorted.withUnsafeBufferPointer {
            try body(UnsafeBufferPointer(rebasing: $0[starts[group]..<starts[group + 1]]))
        }
    }
}
