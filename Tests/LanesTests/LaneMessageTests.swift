import Lanes
import Models
import Testing

@Suite struct LaneMessageTests {
    private let requests: [LaneRequest] = [
        .open(
            LaneOpening(
                reader: ReaderRegistration(name: "analytics-exporter", isRequired: false), lane: .rollups,
                session: .max,
                generation: 3, after: 4, kinds: [1, 2, 200], wantsHeartbeats: true,
                total: Credit(blocks: 5, bytes: 6), committed: 2)),
        .credit(session: 1, total: Credit(blocks: .max, bytes: 0), committed: 9),
    ]
    private let replies: [LaneReply] = [
        .opened(session: 1, generation: .max, head: 3, oldest: 4),
        .block(session: 2, SampleRows.block(5, payload: 5_000)),
        .skipped(session: 1, after: 2, through: 3), .head(session: 1, head: 2, through: 3, waitingBytes: 4),
        .refused(session: 1, code: .aheadOfHead, text: "é"), .unknown(session: 8),
        .heartbeat(session: 1, generation: 2, head: .max, time: -5),
    ]

    @Test func `messages come out as they went in`() throws {
        for request in requests { #expect(try LaneRequest(frames: request.frames()) == request) }
        for reply in replies { #expect(try LaneReply(frames: reply.frames()) == reply) }
    }

    @Test
    func
        `who does not ask for heartbeats sends what readers sent before there were any, and a question is one kind more`()
        throws
    {
        var opening = LaneOpening(
            reader: ReaderRegistration(name: "r"), lane: .batch, session: 1, generation: 2, after: 3, kinds: [1, 2],
            wantsHeartbeats: false, total: .none, committed: 4)
        let numbers: [UInt64] = [1, 2, 3, 0, 0, 4]
        let fixed: [UInt8] =
            [1, 1, 1, 1] + numbers.flatMap { [UInt8(truncatingIfNeeded: $0)] + [UInt8](repeating: 0, count: 7) }
        #expect(LaneRequest.open(opening).frames() == [fixed + [2, 0, 1, 2] + [1, 0, 0x72]])
        opening.wantsHeartbeats = true
        #expect(LaneRequest.open(opening).frames() == [fixed + [3, 0, 0, 1, 2] + [1, 0, 0x72]])
    }

    @Test func `every truncation is refused`() {
        for request in requests {
            let frame = request.frames()[0]
            for count in 0..<frame.count {
                #expect(throws: LaneError.self) { try LaneRequest(frames: [Array(frame.prefix(count))]) }
            }
            #expect(throws: LaneError.self) { try LaneRequest(frames: [frame + [0]]) }
            #expect(throws: LaneError.self) { try LaneRequest(frames: [frame, frame]) }
        }
        for reply in replies {
            let frames = reply.frames()
            for count in 0..<frames[0].count {
                #expect(throws: LaneError.self) {
                    try LaneReply(frames: [Array(frames[0].prefix(count))] + frames.dropFirst())
                }
            }
            #expect(throws: LaneError.self) { try LaneReply(frames: frames + [[1]]) }
        }
        #expect(throws: LaneError.self) { try LaneRequest(frames: []) }
        #expect(throws: LaneError.self) { try LaneReply(frames: [[77]]) }
    }

    @Test(arguments: UInt64(0)..<200) func `garbage never traps`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var frames = (seed % 2 == 0 ? requests[random.below(2)].frames() : replies[random.below(7)].frames())
        for _ in 0..<(1 + random.below(4)) {
            let place = random.below(frames[0].count)
            frames[0][place] = UInt8(truncatingIfNeeded: random.next())
        }
        _ = try? LaneRequest(frames: frames)
        _ = try? LaneReply(frames: frames)
    }
}
