internal import Synchronization

/// A free list of ``RowScratch``: as many exist as requests are being read at one moment.
final class ScratchPool: Sendable {
    /// A scratch in the list belongs to nobody, one outside to whoever took it.
    private struct Free: @unchecked Sendable {
        var list: [RowScratch] = []
    }

    private let free = Mutex(Free())
    private let slots: Int
    private let kept: Int
    private let inflatedLimit: Int
    private let depthLimit: Int
    private let memberLimit: Int

    /// - Parameter slots: the most that a table has.
    init(slots: Int, kept: Int, inflatedLimit: Int, depthLimit: Int = 64, memberLimit: Int = .max) {
        self.slots = slots
        self.kept = kept
        self.depthLimit = depthLimit
        self.memberLimit = memberLimit
        self.inflatedLimit = inflatedLimit
    }

    /// Lends a scratch to `body`.
    func with<Result>(_ body: (RowScratch) throws -> Result) rethrows -> Result {
        let scratch =
            free.withLock { Free(list: $0.list.popLast().map { [$0] } ?? []) }.list.first
            ?? RowScratch(
                slots: slots, rows: 512, inflatedLimit: inflatedLimit, depthLimit: depthLimit,
                memberLimit: memberLimit)
        defer { giveBack(Free(list: [scratch])) }
        return try body(scratch)
    }

    private func giveBack(_ returned: Free) {
        guard !returned.list[0].isOversized else { return }
        free.withLock { if $0.list.count < kept { $0.list.append(contentsOf: returned.list) } }
    }
}
