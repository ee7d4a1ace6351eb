import Models
import Storage

/// One way in which a file can be damaged, by a seed.
enum BackupDamage {
    /// The bytes, changed; never the same ones.
    static func apply(_ seed: UInt64, to whole: [UInt8]) -> [UInt8] {
        var random = SplitMix64(seed: seed), bytes = whole
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        repeat {
            switch below(6) {
            case 0: bytes[below(bytes.count)] ^= 1 << below(8)
            case 1: bytes.removeLast(1 + below(bytes.count))
            case 2: bytes += (0...below(200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            case 3: swapChunks(&bytes, below)
            case 4:
                // A piece that is gone from the middle.
                let from = below(bytes.count)
                bytes.removeSubrange(from..<min(bytes.count, from + 1 + below(5_000)))
            default:
                // A block of the disk that reads as zeros, or as another one.
                let from = below(bytes.count), end = min(bytes.count, from + 512)
                for place in from..<end { bytes[place] = below(2) == 0 ? 0 : bytes[below(bytes.count)] }
            }
        } while bytes == whole
        return bytes
    }

    /// Two chunks change places, or the last one comes twice.
    private static func swapChunks(_ bytes: inout [UInt8], _ below: (Int) -> Int) {
        var chunks: [ArraySlice<UInt8>] = [], place = 14 + 65
        let head = bytes[..<place]
        while place + 4 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            chunks.append(bytes[place..<min(bytes.count, place + 4 + length)])
            place += 4 + length
        }
        if below(4) == 0 {
            chunks.append(chunks.last!)
        } else {
            chunks.swapAt(below(chunks.count), below(chunks.count))
        }
        bytes = head + chunks.flatMap(\.self)
    }
}
