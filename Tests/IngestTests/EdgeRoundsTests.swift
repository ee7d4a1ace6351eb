import NIOCore
import NIOPosix
import Testing

@testable import IngestEdge

@Suite struct EdgeRoundsTests {
    /// A connection that takes a millisecond to be closed.
    private final class Overdue: EdgeTimed {
        let eventLoop: any EventLoop
        private let closed: () -> Void

        init(_ eventLoop: any EventLoop, closed: @escaping () -> Void) {
            self.eventLoop = eventLoop
            self.closed = closed
        }

        func check(now: NIODeadline) {
            let end = NIODeadline.now() + .milliseconds(1)
            while .now() < end {}
            closed()
        }
    }

    private final class Watch {
        let rounds = EdgeRounds()
        var connections: [Overdue] = []
        var closed = 0
        /// Turns that others had on the loop after the first connection was closed and before the last was.
        var turns = 0

        func turn(_ count: Int, on loop: any EventLoop, _ promise: EventLoopPromise<Int>) {
            if closed > 0, closed < count { turns += 1 }
            guard closed < count else {
                for connection in connections { rounds.remove(connection) }
                return promise.succeed(turns)
            }
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.execute { bound.value.turn(count, on: loop, promise) }
        }
    }

    @Test func `many that are closed together do not keep the loop from others`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next(), count = 100
        let turns = try await loop.flatSubmit {
            let watch = Watch(), promise = loop.makePromise(of: Int.self)
            for _ in 0..<count { watch.connections.append(Overdue(loop) { [unowned watch] in watch.closed += 1 }) }
            for connection in watch.connections { watch.rounds.add(connection) }
            watch.turn(count, on: loop, promise)
            return promise.futureResult
        }.get()
        #expect(turns >= count / 3 - 1)
    }
}
