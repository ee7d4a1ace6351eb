internal import Models

/// Ascending, distinct numbers as varints: the first, then the differences.
package enum NumberList {
    static func bytes(of numbers: some Sequence<UInt64>) -> [UInt8] {
        var bytes: [UInt8] = []
        var previous: UInt64 = 0
        for number in numbers {
            Varint.append(number &- previous, to: &bytes)
            previous = number
        }
        return bytes
    }

    /// The numbers; what is cut off in the middle of one ends before it.
    package static func numbers(in bytes: [UInt8]) -> [UInt64] {
        var numbers: [UInt64] = []
        forEach(in: bytes) {
            numbers.append($0)
            return true
        }
        return numbers
    }

    /// Whether a list has any of some numbers; looks no further than the largest of them.
    static func contains(any wanted: Set<UInt64>, in bytes: [UInt8]) -> Bool {
        guard let largest = wanted.max() else { return false }
        var isFound = false
        forEach(in: bytes) { number in
            isFound = wanted.contains(number)
            return !isFound && number < largest
        }
        return isFound
    }

    /// Hands the numbers out until `body` says false.
    private static func forEach(in bytes: [UInt8], _ body: (UInt64) -> Bool) {
        bytes.withUnsafeBufferPointer { buffer in
            guard var pointer = buffer.baseAddress else { return }
            let end = pointer + buffer.count
            var number: UInt64 = 0
            while let difference = Varint.read(at: &pointer, end: end) {
                number &+= difference
                if !body(number) { return }
            }
        }
    }
}
