internal import CLinux
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#endif

/// The turn of a thread that runs only when nothing else wants its core (`SCHED_IDLE`), until it is to hurry: then it runs at its
/// nice level.
///
/// A thread that has long ended no round of its work, though it ends one each second when there is nothing to do, has been kept
/// from every core, perhaps with a lock that others need, and hurries by itself. How long that is, and for how many rounds it
/// then hurries, is said by ``expect(_:)``. A thread takes this turn only where it may come
/// back: with the right to a nice level (`RLIMIT_NICE`, `CAP_SYS_NICE`). Without, it has its nice level all the time.
///
/// From any thread; takes no lock, as the thread might be kept from its core while it holds it.
public final class IdleTurn: Sendable {
    /// What is expected of the thread.
    public enum Expectation: Int, Sendable {
        /// That it takes what others leave.
        case leftovers
        /// That what it does is done soon, whatever else the machine does.
        case soon
        /// It has fallen behind: it runs as other programs do, at nice level 0, until it is told otherwise.
        case overdue

        /// How long a thread may go without an end of a round, ms: this to twice this. Without work a round takes a second, and
        /// a thread that is then told to hurry sleeps on.
        var patience: Int { self == .leftovers ? 1_200 : 200 }

        /// How long a round may take, ms, before its thread goes on at nice level 0 until the round ends. At nice level 10 it has a tenth of
        /// a core beside busy programs, so that a round of one second of processor time would take ten.
        var longestRound: Int {
            switch self {
            case .leftovers: 10_000
            case .soon: 1_000
            case .overdue: .max
            }
        }

        /// For how many rounds it then hurries: the one that is under way may be past what it is to hurry for.
        var rounds: Int { self == .leftovers ? 2 : 10 }
    }

    /// Rounds in which a thread hurries that is asked to.
    public static let rounds = 2

    /// The thread while it has this turn, else 0.
    private let thread = Atomic<pid_t>(0)
    /// Rounds left until it is idle again.
    private let hurried = Atomic(0)
    /// Rounds that have ended.
    private let ended = Atomic(0)
    private let expected = Atomic(Expectation.leftovers.rawValue)
    /// Whether its round takes long, so that it runs at nice level 0 until the round ends.
    private let isRaised = Atomic(false)
    /// The nice level that the thread began with.
    private let niceness = Atomic<Int32>(0)
    private let isOver = DispatchSemaphore(value: 0)

    public init() {}

    /// Whether this thread runs only when nothing else wants its core.
    public static var isOfThisThread: Bool { nkul_is_idle() != 0 }

    /// Has the thread run at its nice level for a round that begins after this; `forGood`: until it ends.
    public func hurry(forGood: Bool = false) { hurry(rounds: forGood ? .max : Self.rounds) }

    /// Has the thread run as the one does that calls this: it hurries if that does, at its nice level.
    ///
    /// - Parameter rounds: for how many it then hurries.
    public func follow(rounds: Int = IdleTurn.rounds) {
        let thread = thread.load(ordering: .sequentiallyConsistent)
        guard thread != 0, !Self.isOfThisThread else { return }
        let process = Int32(PRIO_PROCESS.rawValue)
        setpriority(process, id_t(thread), getpriority(process, 0))
        hurry(rounds: rounds)
    }

    /// For a thread that waits for this one: has it hurry, and at the caller's nice level unless the caller is of the idle class.
    public func catchUp() {
        follow()
        hurry()
    }

    /// Has the thread run at nice level 0 until its round ends; from the thread that watches.
    private func raise() {
        let thread = thread.load(ordering: .sequentiallyConsistent), process = Int32(PRIO_PROCESS.rawValue)
        guard thread != 0, getpriority(process, id_t(thread)) > 0 else { return }
        // Said first, so that the round's end undoes what it sees; a round that ended in between has undone too little.
        isRaised.store(true, ordering: .sequentiallyConsistent)
        setpriority(process, id_t(thread), 0)
        if !isRaised.load(ordering: .sequentiallyConsistent), expectation != .overdue {
            setpriority(process, id_t(thread), niceness.load(ordering: .relaxed))
        }
    }

    private func hurry(rounds: Int) {
        hurried.max(rounds, ordering: .sequentiallyConsistent)
        let thread = thread.load(ordering: .sequentiallyConsistent)
        if thread != 0 { _ = nkul_set_idle(thread, 0) }
    }

    /// Says what is expected of the thread from now on; at first ``Expectation/leftovers``. On that thread.
    public func expect(_ expectation: Expectation) {
        let before = self.expectation
        expected.store(expectation.rawValue, ordering: .relaxed)
        guard thread.load(ordering: .relaxed) != 0 else { return }
        if expectation == .overdue { hurry(rounds: expectation.rounds) }
        if (expectation == .overdue) != (before == .overdue) {
            if expectation == .overdue { setpriority(Int32(PRIO_PROCESS.rawValue), 0, 0) } else { lower() }
        }
    }

    private var expectation: Expectation { Expectation(rawValue: expected.load(ordering: .relaxed)) ?? .leftovers }

    /// Lets threads that wait for this thread's core have it (`sched_yield`), if this one has such a turn, does not hurry, and
    /// has not done so for a tenth of a millisecond.
    ///
    /// Linux may let it run on although others wait, for 4 ms and more (`nkul_give_way`), so long work calls this between its
    /// steps: it takes some nanoseconds. ``PreparedStatement`` does, and what reads and writes logs. A step may take longer, as a
    /// sort does.
    public static func giveWay() { nkul_give_way() }

    /// How often this thread has done so.
    static var waysGiven: UInt64 { nkul_ways_given() }

    /// A round of the thread's work is over; on that thread.
    public func endRound() {
        ended.wrappingAdd(1, ordering: .relaxed)
        if isRaised.load(ordering: .relaxed), isRaised.exchange(false, ordering: .sequentiallyConsistent),
            expectation != .overdue
        {
            lower()
        }
        let left = hurried.load(ordering: .relaxed)
        guard left > 0, left < .max else { return }
        // Whoever asks in between makes the exchange fail, or is seen when the thread has become idle.
        guard hurried.compareExchange(expected: left, desired: left - 1, ordering: .sequentiallyConsistent).exchanged,
            left == 1
        else { return }
        setIdle()
    }

    /// Whether this thread would be let out again. Tried with the level above its own, for which it needs the same right.
    static var isOpen: Bool {
        let process = Int32(PRIO_PROCESS.rawValue), level = getpriority(process, 0)
        return setpriority(process, 0, level - 1) == 0 && setpriority(process, 0, level) == 0
    }

    /// Begins with this thread, which has its nice level; threads that it starts while it is idle are so for good.
    func begin() {
        guard Self.isOpen else { return }
        niceness.store(getpriority(Int32(PRIO_PROCESS.rawValue), 0), ordering: .relaxed)
        thread.store(gettid(), ordering: .sequentiallyConsistent)
        nkul_will_give_way()
        setIdle()
    }

    /// The thread ends.
    func end() {
        thread.store(0, ordering: .sequentiallyConsistent)
        isOver.signal()
    }

    /// Waits for the end of the thread, and has it hurry when it ends no round.
    func watch() {
        // It is of the idle class if who started the thread is.
        _ = nkul_set_idle(0, 0)
        var seen = -1, begin = ContinuousClock.now
        while isOver.wait(timeout: .now() + .milliseconds(expectation.patience)) == .timedOut {
            let ended = ended.load(ordering: .relaxed)
            if ended == seen {
                hurry(rounds: expectation.rounds)
                if ContinuousClock.now - begin > .milliseconds(expectation.longestRound) { raise() }
            } else {
                begin = .now
            }
            seen = ended
        }
    }

    /// Back to the nice level that it began with; on the thread.
    private func lower() {
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness.load(ordering: .relaxed))
    }

    /// On the thread, which may have followed another.
    private func setIdle() {
        lower()
        _ = nkul_set_idle(0, 1)
        if hurried.load(ordering: .sequentiallyConsistent) > 0 { _ = nkul_set_idle(0, 0) }
    }
}
