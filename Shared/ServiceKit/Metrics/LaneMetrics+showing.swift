import Lanes
import Models
import Synchronization

extension LaneMetrics {
    /// A lane that this service writes, and its readers as the journal knows them.
    func show(_ journal: JournalFigures) {
        let lane = journal.lane.rawValue
        set(.head, Int64(clamping: journal.head), lane)
        set(.oldest, Int64(clamping: journal.oldest), lane)
        set(.bytes, Int64(journal.bytes), lane)
        set(.limit, Int64(journal.limitBytes), lane)
        set(.full, journal.isFull ? 1 : 0, lane)
        for reader in journal.readers { show(reader, lane) }
        let names = Set(journal.readers.map(\.reader.name))
        let gone = memory.withLock { $0.replace(readers: names, of: journal.lane) }
        for reader in gone { metrics.withdraw(labels: ["lane": lane, "reader": reader]) }
    }

    /// A lane that this service reads.
    func show(_ read: ReadFigures, now: UnixMilliseconds) {
        let lane = read.lane.rawValue
        let lag = memory.withLock { $0.lag(read.lane, isAtHead: read.head == read.cursor, now: now) }
        set(.cursor, Int64(clamping: read.cursor), lane)
        set(.knownHead, Int64(clamping: read.head), lane)
        set(.lagBlocks, Int64(clamping: read.head - read.cursor), lane)
        set(.lagSeconds, lag, lane, divisor: 1_000)
        set(.connected, read.isConnected ? 1 : 0, lane)
        set(.silence, read.inbox.silence, lane, divisor: 1_000)
        set(.heartbeat, read.inbox.heartbeat?.time ?? 0, lane, divisor: 1_000)
        let missed = metrics.counter(LaneFamily.missed.rawValue, LaneFamily.missed.help, labels: ["lane": lane])
        missed.add(Int(clamping: read.inbox.missed) - Int(missed.value))
        let queue = "inbox_\(lane)", window = read.inbox.window
        show(queue, "blocks", Int64(read.inbox.blocks), Int64(clamping: window.blocks))
        show(queue, "bytes", Int64(read.inbox.bytes), Int64(clamping: window.bytes))
    }

    private func show(_ reader: JournalFigures.Reader, _ lane: String) {
        func set(_ family: LaneFamily, _ value: Int64, divisor: Int64 = 1) {
            metrics.gauge(
                family.rawValue, family.help, labels: ["lane": lane, "reader": reader.reader.name], divisor: divisor
            ).set(value)
        }
        set(.readerCursor, Int64(clamping: reader.reader.committed))
        set(.readerLagBlocks, Int64(clamping: reader.lagBlocks))
        set(.readerLagSeconds, reader.lagMilliseconds, divisor: 1_000)
        set(.readerRequired, reader.reader.isRequired ? 1 : 0)
        set(.readerDetached, reader.reader.isDetached ? 1 : 0)
        set(.readerSeen, reader.reader.seenAt, divisor: 1_000)
    }

    private func set(_ family: LaneFamily, _ value: Int64, _ lane: String, divisor: Int64 = 1) {
        metrics.gauge(family.rawValue, family.help, labels: ["lane": lane], divisor: divisor).set(value)
    }

    private func show(_ queue: String, _ unit: String, _ depth: Int64, _ limit: Int64) {
        let labels: KeyValuePairs = ["queue": queue, "unit": unit]
        metrics.gauge(LaneFamily.queueDepth.rawValue, LaneFamily.queueDepth.help, labels: labels).set(depth)
        metrics.gauge(LaneFamily.queueLimit.rawValue, LaneFamily.queueLimit.help, labels: labels).set(limit)
    }
}
