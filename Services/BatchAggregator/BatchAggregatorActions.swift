internal import AggregatorDeriving
internal import AggregatorFolding
internal import Foundation
internal import Lanes
public import Models
public import ServiceKit
internal import Storage

/// What the aggregator's program does instead of serving.
public enum BatchAggregatorActions {
    /// `--dump` and `--rebuild`.
    ///
    /// - Parameter programmes: whose rows count.
    public static func all(_ programmes: Programmes) -> [ServiceAction<BatchAggregatorConfiguration>] {
        [
            ServiceAction(
                "--dump", "print every statistics cell, a line each, sorted; also while the service runs",
                claim: .none, perform: { configuration, host in try dump(configuration, host, programmes) }),
            ServiceAction(
                "--rebuild",
                "make all cells of open buckets anew from open rows and publish them; the service must be stopped",
                claim: .exclusive, perform: { configuration, host in try rebuild(configuration, host, programmes) }),
        ]
    }

    private static func dump(
        _ configuration: BatchAggregatorConfiguration, _ host: ServiceHost, _ programmes: Programmes
    ) throws {
        let path = host.home.database(of: .batchAggregator)
        guard FileManager.default.fileExists(atPath: path) else {
            throw ServiceError(.home, "\(path) is not there: the aggregator has not run in this home yet")
        }
        var output = StandardOutput()
        try CellDump.write(
            programmes, ReadOnlyDatabase(path: path), openDirectory: AggregatorFolder.openDirectory(host.home),
            timeZone: AggregatorFolder.zone(configuration.common)
        ) { try output.write($0) }
        try output.flush()
    }

    private static func rebuild(
        _ configuration: BatchAggregatorConfiguration, _ host: ServiceHost, _ programmes: Programmes
    ) throws {
        let folder = try AggregatorFolder(configuration, host, programmes, releases: false)
        try AggregatorRebuild.run(folder.engine, folder.open, folder.effects, now: host.clock.now) { waiting in
            FileHandle.standardError.write(Data("\(waiting) blocks to go\n".utf8))
        }
    }
}

/// Where results go: file descriptor 1, gathered to large writes.
struct StandardOutput {
    private var buffer: [UInt8] = []

    mutating func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= 65_536 { try flush() }
    }

    mutating func flush() throws {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw ServiceError(.failed, "standard output cannot be written", errno: errno) }
            rest = rest.dropFirst(count)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

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
