import Alarms
import Models
import Synchronization
import Testing

@testable import IngestAPI

/// What becomes of orders to doors.
@Suite(.timeLimit(.minutes(1))) struct DeviceOrdersTests {
    /// A device's connection, and what was counted.
    private final class Bench: Sendable {
        let counted = Mutex<[DeviceOrders.Outcome]>([])
        let sent = Mutex<[@Sendable (Bool) -> Void]>([])

        var outcomes: [DeviceOrders.Outcome] { counted.withLock { $0 } }

        func orders() -> DeviceOrders { DeviceOrders { outcome in self.counted.withLock { $0.append(outcome) } } }

        func open(_ orders: DeviceOrders) -> Int {
            orders.open(1, now: 0) { _, done in self.sent.withLock { $0.append(done) } }
        }
    }

    private static func order(_ task: String, until end: UnixMilliseconds = 1_000) -> DoorOrder {
        DoorOrder(task: task, door: 3, site: 12, device: 1, expiresAt: end)
    }

    @Test func `an order counts as told once it is written, and as lost if it is not`() {
        let bench = Bench(), orders = bench.orders()
        _ = bench.open(orders)
        orders.take(Self.order("a"), now: 0)
        orders.take(Self.order("b"), now: 0)
        #expect(bench.outcomes.isEmpty)
        for (done, isWritten) in zip(bench.sent.withLock { $0 }, [true, false]) { done(isWritten) }
        #expect(bench.outcomes == [.told, .lost])
    }

    @Test func `an order that its device does not fetch expires, once, also if the router is done with it before`() {
        let bench = Bench(), orders = bench.orders()
        orders.take(Self.order("a"), now: 0)
        orders.take(Self.order("b"), now: 0)
        orders.forget("a")
        orders.forget("a")
        #expect(bench.outcomes == [.expired])
        orders.take(Self.order("late"), now: 1_000)
        #expect(bench.outcomes == [.expired, .expired, .expired], "what waits too long, and what comes too late")
        _ = bench.open(orders)
        orders.take(Self.order("c", until: 2_000), now: 1_000)
        for done in bench.sent.withLock({ $0 }) { done(true) }
        orders.forget("c")
        #expect(bench.outcomes.dropFirst(3) == [.told])
    }

    @Test func `a connection that is closing does not take an order, which counts as lost`() async throws {
        let (outcomes, counted) = AsyncStream.makeStream(of: DeviceOrders.Outcome.self)
        let orders = DeviceOrders { counted.yield($0) }
        let bench = try await APIBench(orders: orders), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            var seen = outcomes.makeAsyncIterator()
            orders.take(Self.order("a"), now: 0)
            #expect(try await socket.next()?.text.contains("open_door") == true)
            #expect(await seen.next() == .told)
            try await socket.send(RawWebSocket.frame(8, [3, 232]))
            #expect(try await socket.next()?.code == 1_000)
            orders.take(Self.order("b"), now: 0)
            #expect(await seen.next() == .lost)
        }
    }
}
