internal import Lanes
internal import Logging
internal import Models
internal import ServiceKit
internal import Storage
internal import SubjectRights
internal import Synchronization
internal import ZeroMQ

/// The thread that runs the rules, with a database of its own: the urgent path waits for nothing here.
struct AlertWindows: Sendable {
    /// The condition of readiness that is told when rules are not run.
    static let condition = "rules"

    let desk: TransitionDesk
    private let host: ServiceHost
    private let database: ServiceDatabase
    private let client: LaneClient
    private let loop: EffectLoop
    private let erased: Erased

    /// - Parameter key: that of the router's receipts.
    init(
        _ configuration: AlertRouterConfiguration, _ host: ServiceHost, _ programmes: Programmes,
        sockets: LaneSockets, key: ReceiptKey, sealer: BlockSealer?
    ) throws {
        database = try ServiceDatabase(
            path: host.home.directory(of: .alertRouter) + "/windows.sqlite", migrations: WindowsEffects.migrations)
        try host.home.settle(database)
        let figures = WindowFigures(host)
        let windows = try RuleWindows(
            programmes, database, trust: configuration.trust, sealer: sealer, shown: figures.show)
        if let lost = windows.effects.lost { host.logger.error("\(lost)") }
        let erased = Erased(try database.read { try ErasureExecutor.done($0) }, host.logger)
        let engine = try EffectEngine(
            database: database, reads: WindowsEffects.subscriptions(programmes), journals: [],
            effects: SubjectRightsEffects(
                windows.rules, windows.subjects, database: database, journals: [], key: key,
                told: SubjectRightsEffects.Told(erased: { erased.add($0.map(\.request)) })))
        client = try sockets.client(of: engine, reader: WindowsEffects.reader)
        loop = EffectLoop(
            engine: engine, source: client, publisher: nil,
            options: EffectLoopOptions(
                name: "router-windows", gather: .milliseconds(250), niceness: 10,
                onStep: { _, _ in erased.tell() }, observer: WindowsObserver(figures)),
            clock: host.clock.now, pause: host.clock.pause)
        self.host = host
        desk = windows.desk
        self.erased = erased
        host.readiness.declare(Self.condition)
        host.readiness.hold(Self.condition)
    }

    /// Begins to read. If the disk fails, the service ends; whatever else fails ends the rules only, and is told.
    ///
    /// - Parameter router: takes over what is found, and signs erasures for the windows, too.
    func start(_ router: EffectLoop) throws {
        desk.onNew(router.wake)
        erased.begin(router)
        try client.start()
        loop.start { [host] failure in
            guard let failure else { return }
            if failure is StorageError { return host.stop.fail(failure) }
            host.logger.error("rules are no longer run", metadata: ["error": "\(failure)"])
            host.readiness.fail(Self.condition, "not run since: \(failure)")
        }
    }

    /// Ends reading, after the step that is under way.
    func stop() { loop.stop() }
}

/// Requests of which the windows have nothing left, on their way to the thread that signs for the router. What does not come
/// through is told again with the next step. From any thread.
private final class Erased: Sendable {
    private let logger: Logger
    private let state: Mutex<(waiting: [String], router: EffectLoop?)>

    /// - Parameter requests: of which the router may not have heard before the last end.
    init(_ requests: [String], _ logger: Logger) {
        self.logger = logger
        state = Mutex((requests, nil))
    }

    func begin(_ router: EffectLoop) {
        state.withLock { $0.router = router }
        tell()
    }

    func add(_ requests: [String]) {
        state.withLock { $0.waiting += requests }
        tell()
    }

    func tell() {
        let (requests, router) = state.withLock { state in
            guard let router = state.router else { return ([] as [String], nil as EffectLoop?) }
            defer { state.waiting = [] }
            return (state.waiting, router)
        }
        guard !requests.isEmpty, let router else { return }
        Task {
            do {
                try await router.perform { engine in
                    guard let rights = engine.effects as? SubjectRightsEffects else { return }
                    try engine.database.write { db in
                        for request in requests { try rights.hear(signer: WindowsEffects.reader, of: request, db) }
                    }
                }
                router.wake()
            } catch {
                state.withLock { $0.waiting = requests + $0.waiting }
                logger.warning(
                    "erasures of the windows wait for the router's thread", metadata: ["error": "\(error)"])
            }
        }
    }
}
