public import Models
public import Storage

/// How an ``EffectLoop`` behaves.
public struct EffectLoopOptions: Sendable {
    /// Name of the thread.
    public var name: String
    /// Least time from the end of a step to the next, in which blocks gather; less if half a window waits, or none has come
    /// for 0.1 s. Zero: each block at once.
    public var gather: Duration
    /// Nice level of the thread: 0 for the real-time path, 10 for the batch path.
    public var niceness: Int32
    /// Whether the thread runs in short slices and soon after it wakes.
    public var isPrompt: Bool
    /// With one, the thread is of the idle class: it runs only when nothing else wants its core, unless it is asked for something,
    /// is to stop or has long had no turn (`IdleTurn`). The messenger tells others in its place; the loop starts and ends it.
    public var idleClass: Messenger?
    /// Called on the loop's thread after each step that did something, with how long it took; for figures.
    public var onStep: (@Sendable (EffectOutcome, Duration) -> Void)?
    /// Called on the loop's thread after each round of housekeeping.
    public var onMaintenance: (@Sendable ([LaneName: JournalMaintenance]) -> Void)?
    /// Is told of every step, push and round, for the figures that all services have.
    public var observer: (any LaneObserver)?
    /// For effects that keep nothing in memory: called when a step found the disk full, which is then repeated each second
    /// until there is room. Without it the loop ends with that error.
    public var onDiskFull: (@Sendable (StorageError) -> Void)?

    public init(
        name: String = "effects", gather: Duration = .zero, niceness: Int32 = 0, isPrompt: Bool = false,
        idleClass: Messenger? = nil,
        onStep: (@Sendable (EffectOutcome, Duration) -> Void)? = nil,
        onMaintenance: (@Sendable ([LaneName: JournalMaintenance]) -> Void)? = nil,
        observer: (any LaneObserver)? = nil, onDiskFull: (@Sendable (StorageError) -> Void)? = nil
    ) {
        self.name = name
        self.gather = gather
        self.niceness = niceness
        self.isPrompt = isPrompt
        self.idleClass = idleClass
        self.onStep = onStep
        self.onMaintenance = onMaintenance
        self.observer = observer
        self.onDiskFull = onDiskFull
    }

    /// Has somebody told, at the usual turn.
    func tell(_ message: @escaping @Sendable () -> Void) {
        if let idleClass { idleClass.tell(message) } else { message() }
    }
}

/// Is told what a service does on its lanes, for figures. Calls come per step, push or second, never per record, and must
/// return at once.
public protocol LaneObserver: AnyObject, Sendable {
    /// A step was committed, so long after its blocks were taken. On the loop's thread.
    ///
    /// - Parameter now: after the commit.
    func stepped(_ outcome: EffectOutcome, of batch: LaneBatch, took: Duration, now: UnixMilliseconds)

    /// A round of housekeeping was committed. On the thread that owns the journals.
    func maintained(_ done: [LaneName: JournalMaintenance])

    /// How things stand; about once a second, on the thread that owns the journals.
    func looked(_ survey: LaneSurvey)

    /// Committed blocks were given to the sockets, so long after they were published. On the socket thread.
    func pushed(after delay: Duration)
}
