import Lanes
import Models
import Wire
import ZeroMQ

/// A reader that takes blocks and gives credit back.
final class SocketReader {
    struct TooLate: Error {}
    let client: LaneClient
    private let world: SocketWorld
    private let thread: SocketThread
    private var decoder = ColumnDecoder()

    init(client: LaneClient, world: SocketWorld, thread: SocketThread) {
        self.client = client
        self.world = world
        self.thread = thread
    }

    /// The seqs of the next blocks; throws after 30 s without any.
    func take() throws -> [Int64] {
        let batch = client.next(until: .now + .seconds(30))
        guard let last = batch.blocks.last else { throw TooLate() }
        world.cursor = last.position
        defer { client.release(batch) }
        return try batch.blocks.flatMap { try $0.block.columns(with: &decoder)[ColumnID.seq]?.integers ?? [] }
    }

    func take(rows: Int) throws -> [Int64] {
        var taken: [Int64] = []
        while taken.count < rows { taken += try take() }
        return taken
    }

    /// Waits (at most 30 s) until the status is as wanted.
    func wait(until wanted: (LaneStatus?) -> Bool) {
        let deadline = ContinuousClock.now + .seconds(30)
        while !wanted(client.statuses[.batch]), ContinuousClock.now < deadline {
            _ = client.next(until: .now + .milliseconds(5))
        }
    }

    func stop() { thread.stop() }
}
