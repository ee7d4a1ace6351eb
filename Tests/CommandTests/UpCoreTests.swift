import ServiceKit
import Testing

@testable import Administration

struct UpCoreTests {
    private let all: [ServiceName] = [.ingest, .alertRouter]

    /// A core whose services are all ready at time 0.
    private func ready() -> UpCore {
        var core = UpCore(services: all)
        _ = core.handle(.begin, now: 0)
        for service in all { _ = core.handle(.ready(service), now: 0) }
        return core
    }

    @Test func `all services are started, and readiness is announced once all have it`() {
        var core = UpCore(services: all)
        #expect(core.handle(.begin, now: 0) == [.start(.ingest), .start(.alertRouter)])
        #expect(core.handle(.ready(.ingest), now: 1) == [])
        #expect(core.handle(.ready(.ingest), now: 2) == [])
        #expect(core.handle(.ready(.alertRouter), now: 3) == [.announce])
        #expect(core.handle(.tick, now: 4) == [])
    }

    @Test func `a service that dies is started again, later each time, and not announced again`() {
        var core = ready()
        var now: Int64 = 0
        var delays: [Int64] = []
        for _ in 0..<8 {
            let died = now
            _ = core.handle(.ended(.ingest, .killed(signal: 9)), now: now)
            while core.handle(.tick, now: now) != [.start(.ingest)] { now += 1 }
            delays.append(now - died)
            #expect(core.handle(.ready(.ingest), now: now) == [.say("nkul-ingest is ready again")])
        }
        #expect(delays == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
    }

    @Test func `a service that was well for long begins with the shortest delay`() {
        var core = ready()
        for now: Int64 in [0, 10_000_000] {
            _ = core.handle(.ended(.ingest, .killed(signal: 9)), now: now)
            _ = core.handle(.tick, now: now + 100)
            #expect(core.handle(.ready(.ingest), now: now + 100) == [.say("nkul-ingest is ready again")])
        }
    }

    @Test func `a service that cannot start ends everything with its exit code`() {
        var core = UpCore(services: all)
        _ = core.handle(.begin, now: 0)
        let actions = core.handle(.ended(.ingest, .exited(1)), now: 5)
        #expect(actions.last == .terminate(.alertRouter))
        #expect(core.handle(.ended(.alertRouter, .exited(0)), now: 6) == [.end(1)])
    }

    @Test func `wrong settings end everything with exit code 2, even after it was ready`() {
        var core = ready()
        _ = core.handle(.ended(.ingest, .exited(2)), now: 5)
        #expect(core.handle(.ended(.alertRouter, .exited(0)), now: 6) == [.end(2)])
    }

    @Test func `a service that is killed before it was ready is started again`() {
        var core = UpCore(services: all)
        _ = core.handle(.begin, now: 0)
        _ = core.handle(.ended(.ingest, .killed(signal: 9)), now: 5)
        #expect(core.handle(.tick, now: 105) == [.start(.ingest)])
    }

    @Test func `stopping terminates all, starts none, and ends with 0 when the last has ended`() {
        var core = ready()
        _ = core.handle(.ended(.ingest, .killed(signal: 9)), now: 0)
        #expect(core.handle(.stop, now: 1) == [.terminate(.alertRouter)])
        #expect(core.handle(.tick, now: 5_000) == [])
        #expect(core.handle(.ended(.alertRouter, .exited(0)), now: 5_001) == [.end(0)])
    }

    @Test func `what has not stopped after the patience is killed, once, and the exit code says so`() {
        var core = ready()
        _ = core.handle(.stop, now: 0)
        #expect(core.handle(.tick, now: UpCore.patience - 1) == [])
        #expect(core.handle(.tick, now: UpCore.patience) == [.kill(.ingest), .kill(.alertRouter)])
        #expect(core.handle(.tick, now: UpCore.patience + 1) == [])
        _ = core.handle(.ended(.ingest, .killed(signal: 9)), now: UpCore.patience + 2)
        #expect(core.handle(.ended(.alertRouter, .killed(signal: 9)), now: UpCore.patience + 3) == [.end(1)])
    }

    @Test func `a second wish to stop kills at once`() {
        var core = ready()
        #expect(core.handle(.stop, now: 0) == [.terminate(.ingest), .terminate(.alertRouter)])
        #expect(core.handle(.stop, now: 1) == [.kill(.ingest), .kill(.alertRouter)])
    }

    @Test func `who waits for a service that does not get ready hears why, every ten seconds`() {
        var core = UpCore(services: all)
        _ = core.handle(.begin, now: 0)
        let said = stride(from: Int64(0), through: 25_000, by: 50).filter { now in
            !core.handle(.unready(.ingest, "lanes: other generation"), now: now).isEmpty
        }
        #expect(said == [10_000, 20_000])
        #expect(
            core.handle(.unready(.ingest, "lanes: other generation"), now: 30_000)
                == [.say("still waiting for nkul-ingest: lanes: other generation")])
        _ = core.handle(.ready(.ingest), now: 30_001)
        #expect(core.handle(.unready(.ingest, "late"), now: 90_000) == [])
    }
}
