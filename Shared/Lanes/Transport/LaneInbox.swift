internal import Models
internal import Wire

/// Blocks that have come and wait to be applied, bounded by the credit of each lane.
struct LaneInbox {
    private struct Waiting {
        var blocks: [LaneBlock] = []
        var bytes = 0
        var skipped: Position?
    }

    private var lanes: [LaneName: Waiting] = [:]
    private(set) var statuses: [LaneName: LaneStatus] = [:]
    /// Blocks that writers no longer had, by lane.
    private(set) var missed: [LaneName: UInt64] = [:]
    /// The last block that each writer is known to have.
    private var heads: [LaneName: UInt64] = [:]
    private var heartbeats: [LaneName: LaneHeartbeat] = [:]
    /// When each writer was last heard, by ``Monotonic``.
    private var heardAt: [LaneName: Int64] = [:]
    private let madeAt = Monotonic.milliseconds
    private var lastCame = ContinuousClock.now
    var isWoken = false

    /// Since when no block has come; nil while some wait.
    var quietSince: ContinuousClock.Instant? { hasBlocks(excluding: []) ? nil : lastCame }

    mutating func add(_ block: LaneBlock) {
        lastCame = .now
        lanes[block.lane, default: Waiting()].blocks.append(block)
        lanes[block.lane]!.bytes += block.block.size
        learn(head: block.block.header.number, block.lane)
    }

    mutating func skip(_ position: Position) {
        lanes[position.lane, default: Waiting()].skipped = position
        learn(head: position.block, position.lane)
    }

    mutating func learn(head: UInt64, _ lane: LaneName) { heads[lane] = max(heads[lane] ?? 0, head) }

    mutating func hear(_ heartbeat: LaneHeartbeat?, at time: Int64?, _ lane: LaneName) {
        heartbeats[lane] = heartbeat
        heardAt[lane] = time
    }

    /// What waits on a lane, and how long its writer has been silent.
    func figures(_ lane: LaneName, window: Credit) -> InboxFigures {
        InboxFigures(
            head: heads[lane] ?? 0, blocks: lanes[lane]?.blocks.count ?? 0, bytes: lanes[lane]?.bytes ?? 0,
            window: window, missed: missed[lane] ?? 0, heartbeat: heartbeats[lane],
            silence: Monotonic.milliseconds - (heardAt[lane] ?? madeAt))
    }

    mutating func set(_ status: LaneStatus, _ lane: LaneName) { statuses[lane] = status }

    mutating func miss(_ blocks: UInt64, _ lane: LaneName) { missed[lane, default: 0] += blocks }

    /// True if blocks of other lanes than the excluded wait.
    func hasBlocks(excluding excluded: Set<LaneName>) -> Bool {
        lanes.contains { !$0.value.blocks.isEmpty && !excluded.contains($0.key) }
    }

    /// When what waits is handed out: at once, unless blocks are gathered; then when that is over, half a window waits, or none has
    /// come for a moment. Nil while nothing waits.
    func due(
        gathering: ContinuousClock.Instant?, _ windows: [LaneName: Credit], excluding excluded: Set<LaneName>
    ) -> ContinuousClock.Instant? {
        guard hasBlocks(excluding: excluded) else { return nil }
        guard let gathering, !isHalfFull(windows, excluding: excluded) else { return lastCame }
        return min(gathering, lastCame + LaneInbox.quiet)
    }

    /// How long no block must come for blocks to be gathered no longer.
    static let quiet = Duration.milliseconds(100)

    /// True if a lane has half of its window waiting, so that the writer will soon have to pause.
    func isHalfFull(_ windows: [LaneName: Credit], excluding excluded: Set<LaneName>) -> Bool {
        lanes.contains { lane, waiting in
            guard let window = windows[lane], !excluded.contains(lane) else { return false }
            return UInt64(waiting.blocks.count) * 2 >= window.blocks || UInt64(waiting.bytes) * 2 >= window.bytes
        }
    }

    /// Takes what waits, lanes by number; `batch` only if `everything` is asked for or no other lane has blocks.
    mutating func take(
        everything: Bool, _ windows: [LaneName: Credit], excluding excluded: Set<LaneName>
    ) -> LaneBatch {
        var batch = LaneBatch()
        batch.holdsWritersBack = isHalfFull(windows, excluding: excluded)
        for lane in lanes.keys.sorted(by: { $0.isUrgent && !$1.isUrgent || $0.isUrgent == $1.isUrgent && $0.id < $1.id }
        ) {
            guard !excluded.contains(lane), everything || lane.isUrgent || batch.blocks.isEmpty else { continue }
            let waiting = lanes.removeValue(forKey: lane)!
            batch.blocks += waiting.blocks
            batch.skipped[lane] = waiting.skipped
        }
        return batch
    }
}

extension LaneName {
    /// False for `batch`, which waits while other lanes have something.
    var isUrgent: Bool { self != .batch }
}
