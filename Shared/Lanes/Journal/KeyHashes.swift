/// Some keys, as hashes of 32 bits: who asks for another one is told that it is among them once in 2³² for each of them.
public struct KeyHashes: Sendable {
    /// FNV-1a (Fowler, Noll, Vo), 64 bits folded to 32.
    public static func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }

    private let ascending: [UInt32]
    /// A bit for the low bits of each hash, 16 to 32 a key, which spares most searches.
    private let bits: [UInt64]

    /// - Parameter hashes: in any order.
    public init(_ hashes: [UInt32]) {
        ascending = hashes.sorted()
        var words = 1
        while words * 4 < hashes.count { words *= 2 }
        var bits = [UInt64](repeating: 0, count: words)
        for hash in hashes {
            let bit = Int(hash) & (64 * words - 1)
            bits[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        self.bits = bits
    }

    public var isEmpty: Bool { ascending.isEmpty }

    /// False if a key is not among them; true if it is, or another of the same hash.
    public func mayHave(_ hash: UInt32) -> Bool {
        let bit = Int(hash) & (64 * bits.count - 1)
        guard bits[bit >> 6] >> UInt64(bit & 63) & 1 == 1 else { return false }
        var range = 0..<ascending.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            if ascending[middle] == hash { return true }
            range = ascending[middle] < hash ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }
}
