import Synchronization

/// Whether the service can do its work, as `/readyz` says: ready when every declared condition holds.
///
/// Thread-safe; meant for changes of state, not for every record.
public final class Readiness: Sendable {
    /// One thing that must be in order.
    public struct Condition: Sendable, Equatable {
        public let name: String
        /// Nil if it holds, else why not: `reader is ahead of the head of batch`.
        public let problem: String?
        /// What is worth knowing of one that holds: `lane batch: its writer is silent`.
        public let note: String?
    }

    private let state = Mutex<[Condition]>([])

    public init() {}

    /// Adds a condition that does not hold yet.
    public func declare(_ name: String, problem: String = "starting") { set(name, problem: problem) }

    /// The condition holds from now on.
    ///
    /// - Parameter note: what is worth knowing all the same.
    public func hold(_ name: String, note: String? = nil) { set(name, problem: nil, note: note) }

    /// The condition does not hold from now on, and why.
    public func fail(_ name: String, _ problem: String) { set(name, problem: problem) }

    /// All conditions in the order of their declaration.
    public var conditions: [Condition] { state.withLock { $0 } }

    public var isReady: Bool { state.withLock { $0.allSatisfy { $0.problem == nil } } }

    private func set(_ name: String, problem: String?, note: String? = nil) {
        let condition = Condition(name: name, problem: problem, note: note)
        state.withLock { conditions in
            if let index = conditions.firstIndex(where: { $0.name == name }) {
                conditions[index] = condition
            } else {
                conditions.append(condition)
            }
        }
    }
}
