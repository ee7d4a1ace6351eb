/// Finds many byte strings of at least eight bytes in one pass.
struct NeedleSearch {
    private struct Needle {
        let owner: Int
        let bytes: [UInt8]
    }

    /// By the first eight bytes.
    private var needles: [UInt64: [Needle]] = [:]
    /// Whether a needle begins with two bytes: passes over almost everything.
    private var beginnings = [Bool](repeating: false, count: 65_536)

    /// - Parameter needles: with the number of whose they are.
    init(_ needles: [(owner: Int, bytes: [UInt8])]) {
        for (owner, bytes) in needles {
            precondition(bytes.count >= 8)
            beginnings[Int(bytes[0]) << 8 | Int(bytes[1])] = true
            self.needles[Self.word(bytes, 0), default: []].append(Needle(owner: owner, bytes: bytes))
        }
    }

    /// Whose needles are in the bytes.
    func owners(in bytes: [UInt8]) -> Set<Int> {
        var found: Set<Int> = []
        bytes.withUnsafeBufferPointer { bytes in
            beginnings.withUnsafeBufferPointer { beginnings in
                var place = 0
                while place + 8 <= bytes.count {
                    if beginnings[Int(bytes[place]) << 8 | Int(bytes[place + 1])] { look(place, bytes, &found) }
                    place += 1
                }
            }
        }
        return found
    }

    private func look(_ place: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ found: inout Set<Int>) {
        let word = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[place + $1]) }
        for needle in needles[word] ?? [] where place + needle.bytes.count <= bytes.count {
            if (8..<needle.bytes.count).allSatisfy({ bytes[place + $0] == needle.bytes[$0] }) {
                found.insert(needle.owner)
            }
        }
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 << 8 | UInt64(bytes[place + $1]) }
    }
}
