internal import Foundation
internal import Models
internal import Synchronization

/// How many connections of each address are open that have not yet shown whose they are; no lock, from any thread.
///
/// In a table of fixed size: addresses that fall into the same place share its count. Which do is known to nobody, as the seed is
/// random, and of a thousand addresses in 65 536 places one in 65 has to share.
final class StrangerConnections: @unchecked Sendable {  // `counts` is allocated for life; each count is an atomic
    private let limit: Int
    private let seed: UInt64
    private let mask: Int
    private let counts: UnsafeMutablePointer<Atomic<Int32>>

    /// - Parameters:
    ///   - limit: most connections of an address; 0: any number.
    ///   - places: addresses that are told apart, rounded up to a power of two; 4 bytes each.
    init(limit: Int, places: Int, seed: UInt64) {
        (self.limit, self.seed) = (limit, seed)
        mask = 1 << (Int.bitWidth - (max(2, limit == 0 ? 0 : places) - 1).leadingZeroBitCount) - 1
        // Zeros are atomics of 0, and pages that nobody needs stay unused.
        guard let zeros = calloc(mask + 1, MemoryLayout<Atomic<Int32>>.stride) else { fatalError("out of memory") }
        counts = zeros.assumingMemoryBound(to: Atomic<Int32>.self)
    }

    deinit { free(counts) }

    /// Counts a connection of a line (``ServiceKit/ClientAddress/line``); false if that has as many as it may, and it is not counted.
    func enter(_ line: UInt64) -> Bool {
        guard limit > 0 else { return true }
        guard counts[place(line)].wrappingAdd(1, ordering: .relaxed).newValue > limit else { return true }
        leave(line)
        return false
    }

    /// One that was counted has ended, or shown whose it is.
    func leave(_ line: UInt64) {
        if limit > 0 { counts[place(line)].wrappingSubtract(1, ordering: .relaxed) }
    }

    private func place(_ line: UInt64) -> Int { Int(truncatingIfNeeded: SplitMix64.mixed(line ^ seed)) & mask }
}

/// A connection that counts as one of its address's until it shows whose it is, or ends. Confined to its event loop.
package final class StrangerConnection {
    private let connections: StrangerConnections
    private let line: UInt64
    private var isCounted = true

    /// - Parameter line: was counted.
    init(_ connections: StrangerConnections, _ line: UInt64) { (self.connections, self.line) = (connections, line) }

    package func leave() {
        guard isCounted else { return }
        isCounted = false
        connections.leave(line)
    }
}
