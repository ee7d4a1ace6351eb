import Models
import NIOHTTP1
import Testing

@testable import IngestEdge

/// A connection's decisions, whatever its client, the API, look-ups, timers and the end do in which order.
@Suite struct EdgeConnectionCoreTests {
    @Test(arguments: 0..<1_000 as Range<UInt64>)
    func `requests are answered once and in order, reads are asked for, a close frees the call`(seed: UInt64) {
        var world = EdgeWorld(seed: seed)
        for _ in 0..<200 { world.turn() }
        world.calm()
        #expect(world.violations.isEmpty, "seed \(seed): \(world.violations.first ?? "")")
    }

    @Test func `a well-behaved client is answered everything over one connection`() {
        for seed in 0..<100 as Range<UInt64> {
            var world = EdgeWorld(seed: seed, ends: 0)
            for _ in 0..<400 { world.turn() }
            world.calm()
            #expect(world.violations.isEmpty, "seed \(seed): \(world.violations.first ?? "")")
            #expect(!world.isOver && world.answered.count > 10, "seed \(seed): \(world.answered.count)")
        }
    }

    @Test func `the random events reach every phase and every way to end`() {
        var phases: Set<EdgeConnectionCore.Phase> = [], endings: Set<String> = []
        for seed in 0..<300 as Range<UInt64> {
            var world = EdgeWorld(seed: seed)
            for _ in 0..<200 { world.turn() }
            world.calm()
            phases.formUnion(world.phases)
            endings.formUnion(world.endings)
        }
        let all: [EdgeConnectionCore.Phase] = [
            .handshaking, .idle(hasHeadBegun: false), .idle(hasHeadBegun: true), .receiving(isHeld: false),
            .receiving(isHeld: true), .complete, .answering, .sending, .closing(isOutputClosed: false),
            .closing(isOutputClosed: true), .closed,
        ]
        #expect(phases == Set(all))
        #expect(endings == ["last answer", "finish", "close", "refuse", "cut off", "thrown away", "gone"])
    }

    private static let head = HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"))

    /// A core whose first request is being answered, and what it takes of the parts that come ahead of the answer.
    private func answering(_ ahead: [HTTPServerRequestPart], partsAhead: Int = 100) -> (EdgeConnectionCore, [Bool]) {
        var core = EdgeConnectionCore(isSecure: false, partsAhead: partsAhead)
        var taken = [core.received(Self.head), core.received(.end(nil))]
        core.handedOver()
        for part in ahead { taken.append(core.received(part)) }
        return (core, taken)
    }

    /// Answers the request that is under way, and says what is done then.
    private func answer(_ core: inout EdgeConnectionCore) -> [String] {
        var done = [core.beginAnswer(closes: false).map { $0 ? "last answer" : "answer" } ?? "nothing"]
        var action = core.endAnswer() ?? core.next()
        while let next = action {
            done.append(Self.name(next))
            action = core.next()
        }
        return done
    }

    private static func name(_ action: EdgeConnectionCore.Action) -> String {
        switch action {
        case .take: "take"
        case .read: "read"
        case .refuse: "refuse"
        case .finish: "finish"
        case .close: "close"
        }
    }

    @Test func `a request that was cut off is not waited for`() {
        var (core, taken) = answering([Self.head, .end(nil)], partsAhead: 1)
        #expect(taken == [true, true, false, false])
        #expect(answer(&core) == ["answer", "take", "finish"])
        #expect(!core.holdsCall && core.phase == .closing(isOutputClosed: false))
    }

    @Test func `a client that has finished is answered what it sent ahead`() {
        var (core, _) = answering([Self.head, .end(nil)])
        let isGoingOn = core.inputClosed() == nil
        #expect(isGoingOn)
        #expect(answer(&core) == ["answer", "take", "take"])
        core.handedOver()
        #expect(answer(&core) == ["answer", "finish"])
    }

    @Test func `a request that has come is carried out although its sender has gone`() {
        var core = EdgeConnectionCore(isSecure: false, partsAhead: 100)
        let taken = [core.received(Self.head), core.received(.end(nil))]
        core.closed()
        #expect(taken == [true, true] && core.holdsCall)
        core.handedOver()
        #expect(!core.holdsCall && core.phase == .answering)
    }

    @Test func `a handshake that ends too late opens nothing`() {
        var core = EdgeConnectionCore(isSecure: true, partsAhead: 100)
        let action = Self.name(core.timedOut())
        core.handshakeCompleted()
        let isTaken = core.received(Self.head)
        #expect(action == "close" && core.phase == .closed && !isTaken)
    }
}
