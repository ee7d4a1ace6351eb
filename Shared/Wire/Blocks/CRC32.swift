import CDeflate

/// The CRC-32 of zlib and gzip (polynomial `0xEDB88320`).
package enum CRC32 {
    /// The checksum of `bytes`.
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum($0) }
    }

    /// The checksum of `bytes`, continuing from `seed` (the checksum of what came before).
    package static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
        // Without a buffer libdeflate answers 0, whatever the seed.
        guard let start = bytes.baseAddress else { return seed }
        return libdeflate_crc32(seed, start, bytes.count)
    }
}
