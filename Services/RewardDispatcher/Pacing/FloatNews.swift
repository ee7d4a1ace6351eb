internal import Synchronization

/// What is left with the provider, on its way from whoever looks to the thread of the effects. Usable from any thread; only the
/// last look counts.
public final class FloatNews: Sendable {
    /// One look.
    struct Look: Sendable, Equatable {
        /// Whole XAF; nil if the provider does not say.
        let left: Int64?
        /// Below which it is little, whole XAF.
        let low: Int64

        var isLow: Bool { left.map { $0 < low } ?? false }
    }

    private let look = Mutex<Look?>(nil)

    public init() {}

    var isEmpty: Bool { look.withLock { $0 == nil } }

    func put(_ new: Look) { look.withLock { $0 = new } }

    func take() -> Look? {
        look.withLock { look in
            defer { look = nil }
            return look
        }
    }
}
