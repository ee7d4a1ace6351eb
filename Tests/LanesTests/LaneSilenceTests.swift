import Lanes
import Models
import Testing

/// Readers that tell an idle lane from a dead writer, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LaneSilenceTests {
    @Test(arguments: LaneTransport.allCases) func `a writer that is stopped is silent, and alive when it goes on`(
        transport: LaneTransport
    ) throws {
        let world = try SocketWorld(transport)
        defer { world.stop() }
        let reader = try world.connect()
        try idle(world, reader, rows: 1...10, head: 1)
        let goOn = world.suspendWriter()
        reader.wait { $0 == .silent }
        #expect(reader.client.statuses[.batch] == .silent)
        #expect(reader.client.inboxes[.batch]!.silence > LaneReaderCore.heartbeatTimeout)
        goOn()
        try idle(world, reader, rows: 11...20, head: 2)
    }

    @Test(arguments: LaneTransport.allCases)
    func `a writer that has died is silent, and alive when it is started again`(
        transport: LaneTransport
    ) throws {
        let world = try SocketWorld(transport)
        defer { world.stop() }
        let reader = try world.connect()
        try idle(world, reader, rows: 1...10, head: 1)
        let before = try #require(reader.client.inboxes[.batch]?.heartbeat)
        world.stopWriter()
        reader.wait { $0 == .silent }
        #expect(reader.client.statuses[.batch] == .silent)
        #expect(reader.client.inboxes[.batch]?.heartbeat?.head == 1)
        try world.startWriter()
        try idle(world, reader, rows: 11...20, head: 2)
        let after = try #require(reader.client.inboxes[.batch]?.heartbeat)
        #expect(after.time > before.time && after.cameAt > before.cameAt)
    }

    /// Rows go through, and then the lane is known to be idle.
    private func idle(_ world: SocketWorld, _ reader: SocketReader, rows: ClosedRange<Int64>, head: UInt64) throws {
        try world.append(rows.count, from: rows.lowerBound)
        #expect(try reader.take(rows: rows.count) == Array(rows))
        // A heartbeat of before the rows makes it idle too.
        reader.wait { $0 == .idle && reader.client.inboxes[.batch]?.heartbeat?.head == head }
        #expect(reader.client.statuses[.batch] == .idle)
        let figures = reader.client.inboxes[.batch]!
        #expect(figures.heartbeat?.head == head && figures.head == head)
        #expect(figures.silence <= LaneReaderCore.heartbeatTimeout)
    }
}
