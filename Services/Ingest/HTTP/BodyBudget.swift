internal import Synchronization

/// Bounds the bytes of all bodies that are being received at one moment.
final class BodyBudget: Sendable {
    private let used = Atomic<Int>(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes bytes; false if there are not as many.
    func take(_ bytes: Int) -> Bool {
        guard used.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit else {
            give(bytes)
            return false
        }
        return true
    }

    func give(_ bytes: Int) { used.wrappingSubtract(bytes, ordering: .relaxed) }
}
