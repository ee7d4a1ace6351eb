import Synchronization

/// A figure that only rises. Lock-free, from any thread.
public final class Counter: Sendable {
    private let count = Atomic<Int64>(0)

    init() {}

    public func add(_ amount: Int = 1) { count.wrappingAdd(Int64(amount), ordering: .relaxed) }

    public var value: Int64 { count.load(ordering: .relaxed) }
}
