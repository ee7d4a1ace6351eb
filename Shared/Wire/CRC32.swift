import CZlib

/// The CRC-32 of zlib and gzip (polynomial `0xEDB88320`).
public enum CRC32 {
    /// The checksum of `bytes`.
    public static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum($0) }
    }

    /// The checksum of `bytes`, continuing from `seed` (the checksum of what came before).
    public static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return seed }
        return UInt32(truncatingIfNeeded: crc32_z(UInt(seed), base, bytes.count))
    }
}
