internal import Models
internal import Synchronization

/// Between the two threads of the router: which transitions the windows have written, to which moment the rules have judged, and
/// which of the transitions the router has. Thread-safe.
final class TransitionDesk: Sendable {
    /// Of the windows' episodes.
    let life: Int64
    private let read: @Sendable (_ number: Int64, _ limit: Int) throws -> [FoundTransition]
    private let state: Mutex<(newest: Int64, reached: UnixMilliseconds?, taken: Int64, wake: (@Sendable () -> Void)?)>

    /// - Parameter read: those of this life after a number, in order, from the windows' database.
    init(
        life: Int64, newest: Int64,
        _ read: @escaping @Sendable (_ number: Int64, _ limit: Int) throws -> [FoundTransition]
    ) {
        self.life = life
        self.read = read
        state = Mutex((newest, nil, 0, nil))
    }

    /// The last one that is committed.
    var newest: Int64 { state.withLock { $0.newest } }

    /// The watermark of the rules; what they found up to it is at or below ``newest``. Nil before the first since the start.
    var reached: UnixMilliseconds? { state.withLock { $0.reached } }

    /// The last one that the router has committed.
    var taken: Int64 { state.withLock { $0.taken } }

    /// Has the router look at once when there are new ones, or the rules have gone on.
    func onNew(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// A transaction of the windows is committed.
    func wrote(through number: Int64, reached moment: UnixMilliseconds?) {
        let wake = state.withLock { state in
            defer { (state.newest, state.reached) = (max(state.newest, number), moment) }
            return number > state.newest || moment != state.reached ? state.wake : nil
        }
        wake?()
    }

    func took(through number: Int64) { state.withLock { $0.taken = max($0.taken, number) } }

    func after(_ number: Int64, limit: Int) throws -> [FoundTransition] {
        try read(number, limit)
    }
}
