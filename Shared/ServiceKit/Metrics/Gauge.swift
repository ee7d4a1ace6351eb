internal import Synchronization

/// A figure that rises and falls. Lock-free, from any thread.
public final class Gauge: Sendable {
    private let level = Atomic<Int64>(0)
    /// Units set per unit shown.
    let divisor: Int64

    init(divisor: Int64 = 1) { self.divisor = divisor }

    public func set(_ value: Int64) { level.store(value, ordering: .relaxed) }

    public func add(_ amount: Int64) { level.wrappingAdd(amount, ordering: .relaxed) }

    public var value: Int64 { level.load(ordering: .relaxed) }
}

/// A figure that only rises. Lock-free, from any thread.
public final class Counter: Sendable {
    private let count = Atomic<Int64>(0)

    init() {}

    public func add(_ amount: Int = 1) { count.wrappingAdd(Int64(amount), ordering: .relaxed) }

    public var value: Int64 { count.load(ordering: .relaxed) }
}
