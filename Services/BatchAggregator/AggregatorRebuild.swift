import Lanes
import Models
import Storage

/// Makes all cells of open buckets anew from open rows, and publishes them. Sealing that is under way goes on.
enum AggregatorRebuild {
    /// Forgets those cells and folds every block again. If it is interrupted, the service goes on where it stopped.
    ///
    /// - Parameter progress: told after each slice how many blocks wait.
    static func run(
        _ engine: EffectEngine, _ open: OpenRowDirectory, _ effects: AggregatorEffects,
        now: () -> UnixMilliseconds, progress: (_ waitingBlocks: Int) -> Void = { _ in }
    ) throws {
        let days = try open.existingDays()
        try engine.database.write { try FoldLedger.restart(days, $0) }
        try effects.reload(engine.database)
        try finish(engine, effects, now: now, progress: progress)
    }

    /// Folds all that waits.
    static func finish(
        _ engine: EffectEngine, _ effects: AggregatorEffects, now: () -> UnixMilliseconds,
        progress: (_ waitingBlocks: Int) -> Void = { _ in }
    ) throws {
        effects.blocksPaused()
        while let due = effects.nextTick {
            let time = max(due, now())
            let outcome = try engine.step([], now: time)
            progress(effects.progress.waitingBlocks)
            if outcome.didTick { try engine.maintain(now: time) } else { try makeRoom(engine, time) }
        }
    }

    /// The lane is full: compact it as far as that goes.
    private static func makeRoom(_ engine: EffectEngine, _ now: UnixMilliseconds) throws {
        while try engine.maintain(now: now).values.contains(where: \.hasMore) {}
        for journal in engine.journals { try journal.throwIfFull() }
    }
}
