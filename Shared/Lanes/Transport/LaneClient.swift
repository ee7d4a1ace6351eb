public import Logging
public import Models
internal import Wire
public import ZeroMQ

/// Reads lanes: a DEALER for each on the service's socket thread, and an inbox bounded by credit from which one worker
/// thread takes blocks. ``next(until:gathering:excluding:)`` and ``release(_:)`` belong to that worker; the rest may be
/// called from anywhere.
public final class LaneClient: BlockSource {
    private let dealers: [LaneName: LaneDealer]
    private let windows: [LaneName: Credit]
    private let inbox: WaitableState<LaneInbox>
    private let sockets: SocketThread

    /// Prepares to read after the given cursors.
    ///
    /// - Parameters:
    ///   - reader: name of this service in the readers' tables of the writers.
    ///   - cursors: where to go on, by lane; missing is from the beginning.
    public init(
        reader: String, subscriptions: [LaneSubscription], endpoints: [LaneName: LaneEndpoint],
        cursors: [LaneName: Position], sockets: SocketThread, log: Logger
    ) throws {
        var inbox = LaneInbox()
        for subscription in subscriptions { inbox.set(.waiting, subscription.lane) }
        let state = WaitableState(inbox)
        var dealers: [LaneName: LaneDealer] = [:]
        for subscription in subscriptions {
            let lane = subscription.lane
            guard let endpoint = endpoints[lane] else {
                throw LaneError.malformedMessage(what: "no endpoint of lane \(lane.rawValue)")
            }
            dealers[lane] = LaneDealer(
                core: LaneReaderCore(
                    subscription: subscription, reader: reader, cursor: cursors[lane],
                    firstSession: UInt64.random(in: .min ... .max)),
                endpoint: endpoint, inbox: state, log: log)
        }
        self.dealers = dealers
        self.inbox = state
        self.sockets = sockets
        windows = Dictionary(uniqueKeysWithValues: subscriptions.map { ($0.lane, $0.window) })
    }

    /// Connects; throws `ZeroMQError` for an address that cannot be, not for a writer that is not there.
    public func start() throws {
        for lane in dealers.keys.sorted(by: { $0.id < $1.id }) {
            let dealer = dealers[lane]!
            try sockets.call { loop in try dealer.open(loop) }
        }
    }

    public func next(
        until deadline: ContinuousClock.Instant, gathering: ContinuousClock.Instant? = nil,
        excluding excluded: Set<LaneName> = []
    ) -> LaneBatch {
        inbox.wait { [windows] inbox in
            let now = ContinuousClock.now
            let due = inbox.due(gathering: gathering, windows, excluding: excluded)
            if let due, due <= now {
                inbox.isWoken = false
                return .done(inbox.take(everything: gathering != nil, windows, excluding: excluded))
            }
            if inbox.isWoken || deadline <= now {
                inbox.isWoken = false
                // Nothing waits but, maybe, positions up to which there is nothing for this service.
                let isGathered = due == nil && gathering.map { $0 <= now } ?? true
                return .done(
                    isGathered ? inbox.take(everything: gathering != nil, windows, excluding: excluded) : LaneBatch())
            }
            return .waitFor(min(deadline, due ?? deadline) - now)
        }
    }

    public func release(_ batch: LaneBatch) {
        var sums: [LaneName: (blocks: Int, bytes: Int, through: UInt64)] = [:]
        for (lane, position) in batch.skipped { sums[lane] = (0, 0, position.block) }
        for block in batch.blocks {
            var sum = sums[block.lane] ?? (0, 0, 0)
            sum.blocks += 1
            sum.bytes += block.block.size
            sum.through = max(sum.through, block.block.header.number)
            sums[block.lane] = sum
        }
        guard !sums.isEmpty else { return }
        let released = sums.map {
            (
                dealer: dealers[$0.key],
                event: LaneReaderCore.Event.released(
                    blocks: $0.value.blocks, bytes: $0.value.bytes, committed: $0.value.through)
            )
        }
        sockets.enqueue { loop in
            for (dealer, event) in released { dealer?.handle(event, loop) }
        }
    }

    public func wake() { inbox.change { $0.isWoken = true } }

    public var quietSince: ContinuousClock.Instant? { inbox.withLock { $0.quietSince } }

    public var statuses: [LaneName: LaneStatus] { inbox.withLock { $0.statuses } }

    public var inboxes: [LaneName: InboxFigures] {
        inbox.withLock { inbox in
            Dictionary(uniqueKeysWithValues: windows.map { ($0.key, inbox.figures($0.key, window: $0.value)) })
        }
    }

    /// Blocks that writers no longer had when this service asked for them, by lane.
    package var missedBlocks: [LaneName: UInt64] { inbox.withLock { $0.missed } }
}
