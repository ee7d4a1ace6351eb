public import Logging
public import Models
public import Storage
internal import Synchronization
public import Wire
public import ZeroMQ

/// Offers the lanes a service writes: a ROUTER for each on the service's socket thread, and a thread that reads pages for
/// readers that are behind. Usable from any thread after `start()`.
public final class LaneServer: BlockPublisher {
    private let routers: [LaneName: LaneRouter]
    private let pages: PageReader
    private let sockets: SocketThread
    private let progress: Mutex<[LaneName: [String: ReaderProgress]]>
    private let observer = Mutex<(any LaneObserver)?>(nil)

    /// Prepares the lanes of `journals` as they are now. Call it on the thread that owns them, before anything is
    /// appended that shall be pushed.
    ///
    /// - Parameters:
    ///   - endpoints: one for each journal's lane.
    ///   - isOrigin: the service answers phones, and publishes blocks before it acknowledges what is in them.
    ///   - clock: the service's clock, which heartbeats tell.
    public init(
        journals: [Journal], endpoints: [LaneName: LaneEndpoint], database: ServiceDatabase, sockets: SocketThread,
        isOrigin: Bool = false, clock: @escaping @Sendable () -> UnixMilliseconds, log: Logger
    ) throws {
        let pages = PageReader(
            database: try database.reader(),
            sealers: Dictionary(
                uniqueKeysWithValues: journals.compactMap { journal in journal.sealer.map { (journal.lane, $0) } }))
        let link = ServerLink()
        var routers: [LaneName: LaneRouter] = [:]
        for journal in journals {
            guard let endpoint = endpoints[journal.lane] else { throw LaneError.notWritten(lane: journal.lane) }
            routers[journal.lane] = LaneRouter(
                core: LaneWriterCore(
                    lane: journal.lane, generation: journal.generation, head: journal.head, oldest: journal.oldest,
                    tombstonesGone: journal.state.tombstonesGone, isOrigin: isOrigin),
                endpoint: endpoint, clock: clock, log: log, readPage: { link.server?.read($0, $1, log) },
                progress: { link.server?.note($0, $1) })
        }
        self.routers = routers
        self.pages = pages
        self.sockets = sockets
        progress = Mutex([:])
        link.server = self
    }

    /// Binds the sockets and starts serving; throws `ZeroMQError` naming the endpoint.
    ///
    /// - Parameter niceness: nice level of the thread that reads pages.
    /// - Returns: the addresses as bound (a port that the system chose is filled in).
    @discardableResult
    public func start(niceness: Int32 = 10) throws -> [LaneName: String] {
        pages.start(niceness: niceness)
        var addresses: [LaneName: String] = [:]
        for lane in routers.keys.sorted(by: { $0.id < $1.id }) {
            let router = routers[lane]!
            addresses[lane] = try sockets.call { loop in try router.open(loop) }
        }
        return addresses
    }

    /// Ends the page reader. To be called after the socket thread has stopped; sockets are that thread's to close.
    public func stop() { pages.stop() }

    public func publish(_ appended: [(lane: LaneName, blocks: [Block])]) {
        let appended = appended.filter { !$0.blocks.isEmpty }
        guard !appended.isEmpty else { return }
        let routers = routers
        let observer = observer.withLock { $0 }
        let published = ContinuousClock.now
        sockets.enqueue { loop in
            for (lane, blocks) in appended { routers[lane]?.handle(.committed(blocks), loop) }
            observer?.pushed(after: ContinuousClock.now - published)
        }
    }

    public func completed(to moment: UnixMilliseconds) {
        let routers = routers
        sockets.enqueue { loop in for router in routers.values { router.handle(.completed(moment), loop) } }
    }

    public func observe(by observer: any LaneObserver) { self.observer.withLock { $0 = observer } }

    public func trimmed(_ lane: LaneName, oldest: UInt64, tombstonesGone: UInt64) {
        guard let router = routers[lane] else { return }
        sockets.enqueue { $0.tell(router, .trimmed(oldest: oldest, tombstonesGone: tombstonesGone)) }
    }

    public func rewritten(_ lane: LaneName, through: UInt64) {
        guard let router = routers[lane] else { return }
        sockets.enqueue { $0.tell(router, .rewritten(through: through)) }
    }

    public func takeProgress() -> [LaneName: [ReaderProgress]] {
        progress.withLock { progress in
            defer { progress = [:] }
            return progress.mapValues { $0.values.sorted { $0.reader.name < $1.reader.name } }
        }
    }

    /// Bytes of blocks held in memory for readers, and the readers connected, by lane. Waits for the socket thread.
    public func figures() throws -> [LaneName: (bufferedBytes: Int, readers: [String])] {
        let routers = routers
        return try sockets.call { _ in routers.mapValues { (bufferedBytes: $0.bufferedBytes, readers: $0.readers) } }
    }

    private func note(_ lane: LaneName, _ said: ReaderProgress) {
        progress.withLock { progress in
            var merged = said
            if let before = progress[lane]?[said.reader.name] {
                merged.isJoining = before.isJoining || said.isJoining
                merged.committed = max(before.committed, said.committed)
            }
            progress[lane, default: [:]][said.reader.name] = merged
        }
    }

    private func read(_ lane: LaneName, _ request: LanePageRequest, _ log: Logger) {
        guard let router = routers[lane] else { return }
        pages.add(
            PageReader.Job(lane: lane, request: request) { [sockets] result in
                switch result {
                case .success(let page):
                    sockets.enqueue { $0.tell(router, .pageRead(request, page)) }
                case .failure(let error):
                    log.error("page not readable", metadata: ["lane": "\(lane.rawValue)", "error": "\(error)"])
                    sockets.enqueue { $0.tell(router, .pageFailed(request)) }
                }
            })
    }
}

/// Lets routers call their server without holding it.
private final class ServerLink: @unchecked Sendable {
    // Sendable: written once, before the routers are handed to the socket thread.
    weak var server: LaneServer?
}

extension SocketLoop {
    /// One expression for a closure handed over.
    fileprivate func tell(_ router: LaneRouter, _ event: LaneWriterCore.Event) { router.handle(event, self) }
}
