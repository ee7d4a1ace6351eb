/// A device's wish for a copy of everything, as it is sent.
struct SimulatedAccess {
    /// Identifier of the request, if it becomes a new one.
    let request: String
    /// The one-time private key, 32 bytes.
    let key: [UInt8]

    init(_ random: inout SeededRandom) {
        request = "copy-\(random.next())"
        // Any number below the order of P-256 is a key: the first byte keeps it there.
        key = [1] + (0..<31).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
