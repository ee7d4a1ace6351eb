import Models

/// The distinct devices of a cell as bytes: a list while they are few, a bitmap when they stand close together.
///
///     list     0 │ varint of the first ordinal, then of each difference to the one before
///     bitmap   1 │ varint of the first ordinal ÷ 64 │ words of 64 bits, little-endian
///
/// A bitmap is used when it takes fewer bytes than there are devices, so the form follows from the set alone.
package struct DeviceSet {
    /// The set's bytes.
    private(set) var bytes: [UInt8] = []
    /// Devices in the set.
    package private(set) var count = 0
    private var ordinals: [UInt32] = []

    package init() {}

    /// Makes this the union of an encoded set (empty bytes: none) and ordinals, ascending and distinct.
    ///
    /// Returns false if the bytes are no set.
    package mutating func unite(_ encoded: UnsafeRawBufferPointer, _ added: [UInt32]) -> Bool {
        if encoded.first == 1, setBits(encoded, added) { return true }
        guard decode(encoded) else { return false }
        ordinals = Set(ordinals).union(added).sorted()
        encode()
        return true
    }

    /// Makes this an encoded set without ordinals, ascending, whether they were in it or not.
    ///
    /// Returns false if the bytes are no set.
    mutating func subtract(_ encoded: UnsafeRawBufferPointer, _ removed: [UInt32]) -> Bool {
        guard decode(encoded) else { return false }
        var next = removed[...]
        ordinals.removeAll { ordinal in
            while let first = next.first, first < ordinal { next.removeFirst() }
            return next.first == ordinal
        }
        encode()
        return true
    }

    /// An encoded set of ordinals, ascending and distinct.
    package static func encoded(_ ordinals: [UInt32]) -> [UInt8] {
        var set = DeviceSet()
        set.ordinals = ordinals
        set.encode()
        return set.bytes
    }

    /// Whether an encoded set has one of some ordinals, ascending; nil if the bytes are no set.
    package static func holds(any wanted: [UInt32], _ encoded: UnsafeRawBufferPointer) -> Bool? {
        if encoded.isEmpty { return false }
        var offset = 1, next = 0
        if encoded[0] == 1 {
            guard let firstWord = varint(encoded, &offset) else { return nil }
            return wanted.contains { ordinal in
                guard ordinal >> 6 >= firstWord else { return false }
                let bit = Int(ordinal - firstWord << 6), place = offset + bit >> 3
                return place < encoded.count && encoded[place] >> UInt8(bit & 7) & 1 == 1
            }
        }
        var ordinal: UInt32 = 0
        while offset < encoded.count {
            guard encoded[0] == 0, let difference = varint(encoded, &offset) else { return nil }
            ordinal &+= difference
            while next < wanted.count && wanted[next] < ordinal { next += 1 }
            if next == wanted.count { return false }
            if wanted[next] == ordinal { return true }
        }
        return false
    }

    /// The ordinals of an encoded set, ascending; nil if the bytes are none.
    static func ordinals(_ encoded: UnsafeRawBufferPointer) -> [UInt32]? {
        var set = DeviceSet()
        return set.decode(encoded) ? set.ordinals : nil
    }

    private mutating func encode() {
        count = ordinals.count
        bytes.removeAll(keepingCapacity: true)
        guard let first = ordinals.first, let last = ordinals.last else { return }
        let words = Int(last >> 6 - first >> 6) + 1
        if words * 8 < ordinals.count { encodeBitmap(first >> 6, words) } else { encodeList() }
    }

    private mutating func encodeList() {
        bytes.append(0)
        var previous: UInt32 = 0
        for ordinal in ordinals {
            Varint.append(UInt64(ordinal - previous), to: &bytes)
            previous = ordinal
        }
    }

    private mutating func encodeBitmap(_ firstWord: UInt32, _ words: Int) {
        bytes.append(1)
        Varint.append(UInt64(firstWord), to: &bytes)
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: words * 8))
        for ordinal in ordinals {
            let bit = Int(ordinal - firstWord << 6)
            bytes[start + bit >> 3] |= 1 << UInt8(bit & 7)
        }
    }

    /// Adds ordinals to a bitmap if they lie within it.
    private mutating func setBits(_ encoded: UnsafeRawBufferPointer, _ added: [UInt32]) -> Bool {
        var offset = 1
        guard let firstWord = DeviceSet.varint(encoded, &offset), let low = added.first, let high = added.last,
            low >> 6 >= firstWord, Int(high >> 6 - firstWord) * 8 + 8 <= encoded.count - offset
        else { return false }
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: encoded)
        for ordinal in added {
            let bit = Int(ordinal - firstWord << 6)
            bytes[offset + bit >> 3] |= 1 << UInt8(bit & 7)
        }
        count = bytes[offset...].reduce(0) { $0 + $1.nonzeroBitCount }
        return true
    }

    private mutating func decode(_ encoded: UnsafeRawBufferPointer) -> Bool {
        ordinals.removeAll(keepingCapacity: true)
        guard let form = encoded.first else { return true }
        return form == 0 ? decodeList(encoded) : form == 1 && decodeBitmap(encoded)
    }

    private mutating func decodeList(_ encoded: UnsafeRawBufferPointer) -> Bool {
        var offset = 1
        var previous: UInt32 = 0
        while offset < encoded.count {
            guard let difference = DeviceSet.varint(encoded, &offset), difference > 0 || ordinals.isEmpty else {
                return false
            }
            let (ordinal, overflow) = previous.addingReportingOverflow(difference)
            if overflow { return false }
            ordinals.append(ordinal)
            previous = ordinal
        }
        return true
    }

    private mutating func decodeBitmap(_ encoded: UnsafeRawBufferPointer) -> Bool {
        var offset = 1
        guard let firstWord = DeviceSet.varint(encoded, &offset), (encoded.count - offset) % 8 == 0,
            UInt64(firstWord) * 64 + UInt64(encoded.count - offset) * 8 <= UInt64(UInt32.max) + 1
        else { return false }
        for index in offset..<encoded.count {
            var bits = encoded[index]
            while bits != 0 {
                ordinals.append(firstWord << 6 + UInt32(index - offset) * 8 + UInt32(bits.trailingZeroBitCount))
                bits &= bits &- 1
            }
        }
        return true
    }

    private static func varint(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt32? {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return nil }
        var pointer = start + offset
        defer { offset = pointer - start }
        return Varint.read(at: &pointer, end: start + bytes.count).flatMap { UInt32(exactly: $0) }
    }
}
