import Testing

@testable import Administration

@Suite
struct TailCoreTests {
    private let all = "alerts/"

    /// A core that has connected and got its first answer, complete up to `seq`.
    private func caughtUp(_ seq: Int64, prefixes: [String] = ["alerts/"]) -> TailCore {
        var core = TailCore(prefixes: prefixes, since: nil)
        _ = core.handle(.connected(now: 0))
        for _ in prefixes { _ = core.handle(.end(seq, now: 0)) }
        return core
    }

    @Test
    func `it begins with the present state, or after the number it was given`() {
        var fresh = TailCore(prefixes: [all], since: nil)
        #expect(fresh.handle(.connected(now: 0)) == [.ask(.snapshot(prefix: all))])
        var resumed = TailCore(prefixes: [all], since: 7)
        #expect(resumed.handle(.connected(now: 0)) == [.ask(.replay(after: 7, prefix: all))])
    }

    @Test
    func `live messages wait while an answer is coming, and are shown once, after it, in order`() throws {
        var core = TailCore(prefixes: [all], since: 0)
        _ = core.handle(.connected(now: 0))
        let messages = try (0...4).map { try TailFrames.alarm($0) }
        #expect(core.handle(.live(messages[4])).isEmpty)
        #expect(core.handle(.live(messages[3])).isEmpty)
        #expect(core.handle(.replayed(messages[1])) == [.show(messages[1])])
        #expect(core.handle(.replayed(messages[3])) == [.show(messages[3])])
        #expect(core.handle(.end(3, now: 0)) == [.caughtUp(3), .show(messages[4])])
        #expect(core.complete == 4)
    }

    @Test
    func `numbers without a gap are complete without asking`() throws {
        var core = caughtUp(10)
        for seq in [11, 12, 13] as [Int64] { #expect(try core.handle(.live(TailFrames.alarm(seq))).count == 1) }
        #expect(core.complete == 13)
        for now in [0, 5_000, 10_000] as [Int64] {
            #expect(core.handle(.heartbeat(seq: 13, generation: nil, now: now)).isEmpty)
        }
    }

    @Test
    func `a heartbeat that has been ahead for 2 s means asking for what is missing`() throws {
        var core = caughtUp(10)
        let late = try TailFrames.alarm(12)
        #expect(core.handle(.live(late)) == [.show(late)])
        #expect(core.complete == 10)
        #expect(core.handle(.heartbeat(seq: 12, generation: nil, now: 1_000)).isEmpty)
        #expect(core.handle(.heartbeat(seq: 12, generation: nil, now: 2_999)).isEmpty)
        #expect(
            core.handle(.heartbeat(seq: 12, generation: nil, now: 3_000)) == [.ask(.replay(after: 10, prefix: all))])
        let missed = try TailFrames.alarm(11)
        #expect(core.handle(.replayed(missed)) == [.show(missed)])
        #expect(core.handle(.replayed(late)).isEmpty)
        #expect(core.handle(.end(12, now: 3_000)) == [.caughtUp(12)])
    }

    @Test
    func `connecting again means asking again, for what is not complete only`() throws {
        var core = caughtUp(10)
        _ = try core.handle(.live(TailFrames.alarm(11)))
        #expect(core.handle(.connected(now: 50)) == [.ask(.replay(after: 11, prefix: all))])
    }

    @Test
    func `an answer that does not come is asked for again, one that could not be asked for at the next tick`() {
        var core = TailCore(prefixes: [all], since: 3)
        _ = core.handle(.connected(now: 0))
        #expect(core.handle(.tick(now: 4_999)).isEmpty)
        #expect(core.handle(.tick(now: 5_000)) == [.dropAnswers, .ask(.replay(after: 3, prefix: all))])
        _ = core.handle(.unsent)
        #expect(core.handle(.tick(now: 5_001)) == [.ask(.replay(after: 3, prefix: all))])
    }

    @Test
    func `the end of an answer that was given up is not taken for that of the next`() {
        var core = caughtUp(10)
        _ = core.handle(.heartbeat(seq: 10, generation: "a", now: 0))
        _ = core.handle(.connected(now: 1))
        #expect(
            core.handle(.heartbeat(seq: 12, generation: "b", now: 2))
                == [.restarted, .dropAnswers, .ask(.snapshot(prefix: all))])
    }

    @Test
    func `several prefixes are asked for one after another, and complete means all of them`() {
        var core = TailCore(prefixes: ["alerts/1", "alerts/2"], since: 3)
        #expect(core.handle(.connected(now: 0)) == [.ask(.replay(after: 3, prefix: "alerts/1"))])
        #expect(core.handle(.end(8, now: 1)) == [.ask(.replay(after: 3, prefix: "alerts/2"))])
        #expect(core.handle(.end(9, now: 2)) == [.caughtUp(8)])
        #expect(core.complete == 8)
    }

    @Test
    func `numbers of another journal, or numbers that went back for 2 s, begin anew`() {
        var core = caughtUp(10)
        #expect(core.handle(.heartbeat(seq: 10, generation: "a", now: 0)).isEmpty)
        #expect(
            core.handle(.heartbeat(seq: 12, generation: "b", now: 1)) == [.restarted, .ask(.snapshot(prefix: all))])
        var other = caughtUp(10)
        #expect(other.handle(.heartbeat(seq: 9, generation: "a", now: 0)).isEmpty)
        #expect(other.handle(.heartbeat(seq: 10, generation: "a", now: 1_000)).isEmpty)
        #expect(other.handle(.heartbeat(seq: 4, generation: "a", now: 2_000)).isEmpty)
        #expect(
            other.handle(.heartbeat(seq: 4, generation: "a", now: 4_000)) == [.restarted, .ask(.snapshot(prefix: all))])
    }

    @Test
    func `a message that comes twice is shown once`() throws {
        var core = caughtUp(10)
        let message = try TailFrames.alarm(15)
        #expect(core.handle(.live(message)).count == 1)
        #expect(core.handle(.live(message)).isEmpty)
        #expect(try core.handle(.live(TailFrames.alarm(9))).isEmpty)
    }
}
