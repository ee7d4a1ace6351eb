import GRDB
import Lanes
import Models

@testable import RewardDispatcher

/// The dispatcher's effects in a program that can be killed at a commit.
final class CrashingEffects: BlockEffects {
    enum Moment: CaseIterable {
        /// Everything is done and nothing is committed.
        case beforeCommit
        /// Committed, and nobody outside has been told.
        case afterCommit
        /// Committed, and the provider was called; its answers are lost.
        case afterCalls
    }

    struct Killed: Error {}

    let inner: any BlockEffects
    /// Where the next step ends in a kill.
    var moment: Moment?
    private(set) var hasCommitted = false

    init(_ inner: any BlockEffects) { self.inner = inner }

    func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock] { try inner.admit(blocks) }

    func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws { try inner.prepare(blocks, now: now) }

    func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        hasCommitted = false
        try inner.apply(blocks, in: &transaction)
        if moment == .beforeCommit && (nextTick.map { $0 > transaction.now } ?? true) { throw Killed() }
    }

    func tick(in transaction: inout EffectTransaction) throws -> Bool {
        hasCommitted = false
        let did = try inner.tick(in: &transaction)
        if moment == .beforeCommit { throw Killed() }
        return did
    }

    func committed(now: UnixMilliseconds) throws {
        hasCommitted = true
        if moment != .afterCommit { try inner.committed(now: now) }
    }

    var nextTick: UnixMilliseconds? { inner.nextTick }
}
