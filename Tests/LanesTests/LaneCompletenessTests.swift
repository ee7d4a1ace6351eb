import Models
import Testing

@testable import Lanes

@Suite struct LaneCompletenessTests {
    private var lanes = LaneCompleteness()

    /// Looks at one lane; what is known of it afterwards.
    private mutating func look(cursor: UInt64, head: UInt64?, completeTo: UnixMilliseconds?) -> UnixMilliseconds? {
        let beat = head.map { LaneHeartbeat(head: $0, time: 9, cameAt: 9, completeTo: completeTo) }
        _ = lanes.look([
            ReadFigures(
                lane: .batch, cursor: cursor, head: head ?? 0, isConnected: true, inbox: InboxFigures(heartbeat: beat))
        ])
        return lanes.moments[.batch]
    }

    @Test mutating func `a moment counts once the cursor has come to the heartbeat's head`() {
        #expect(look(cursor: 4, head: nil, completeTo: nil) == nil)
        #expect(look(cursor: 4, head: 5, completeTo: 1_000) == nil)
        #expect(look(cursor: 5, head: 5, completeTo: 1_000) == 1_000)
    }

    @Test mutating func `a reader that is always behind the newest head learns of the one that it passed`() {
        #expect(look(cursor: 4, head: 10, completeTo: 1_000) == nil)
        #expect(look(cursor: 9, head: 20, completeTo: 2_000) == nil)
        #expect(look(cursor: 14, head: 30, completeTo: 3_000) == 1_000)
        #expect(look(cursor: 31, head: 40, completeTo: 4_000) == 3_000)
        #expect(look(cursor: 40, head: 40, completeTo: 4_000) == 4_000)
    }

    @Test mutating func `a heartbeat that does not say changes nothing`() {
        #expect(look(cursor: 5, head: 5, completeTo: 1_000) == 1_000)
        #expect(look(cursor: 9, head: 9, completeTo: nil) == 1_000)
    }

    @Test func `lanes together are complete to the oldest of their moments`() {
        let moments: [LaneName: UnixMilliseconds] = [.realtime: 7, .batch: 5]
        #expect(moments.moment(of: [.realtime, .batch]) == 5 && moments.moment(of: [.realtime]) == 7)
        #expect(moments.moment(of: [.realtime, .privacy]) == nil)
    }
}
