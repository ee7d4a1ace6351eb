import Foundation
import Testing

@testable import Storage

@Suite(.enabled(if: IdleTurn.isOpen)) struct IdleTurnTests {
    private final class Answer: @unchecked Sendable {
        // Sendable: written before the semaphore is signalled, read after it.
        var policies: [Int32] = []
        let isThere = DispatchSemaphore(value: 0)
    }

    /// What a thread with a turn saw of its own scheduling policy; answers come by an ordinary thread, as a worker that the
    /// system starts for a task has the class of whoever wakes it, for good.
    private func policies(_ turn: IdleTurn, _ body: @escaping @Sendable (inout [Int32]) -> Void) async -> [Int32] {
        let answer = Answer()
        return await withCheckedContinuation { continuation in
            WorkThread.start("messenger", niceness: 0) {
                answer.isThere.wait()
                continuation.resume(returning: answer.policies)
            }
            WorkThread.start("idle", niceness: 10, idle: turn) {
                body(&answer.policies)
                answer.isThere.signal()
            }
        }
    }

    private static let usual: Int32 = 0
    private static let idle: Int32 = 5

    @Test func aThreadIsOfTheIdleClassAndHurriesForARoundThatBeginsAfterItWasAsked() async {
        let turn = IdleTurn()
        let seen = await policies(turn) { seen in
            seen.append(sched_getscheduler(0))
            turn.hurry()
            for _ in 0..<3 {
                seen.append(sched_getscheduler(0))
                turn.endRound()
            }
        }
        #expect(seen == [Self.idle, Self.usual, Self.usual, Self.idle])
    }

    @Test func whoWatchesForAThreadOfTheIdleClassIsNotOfItHimself() async {
        let watched = IdleTurn()
        let seen = await policies(IdleTurn()) { seen in
            let watcher = Answer()
            WorkThread.start("watcher", niceness: 0) {
                watcher.policies.append(sched_getscheduler(0))
                watched.watch()
                watcher.policies.append(sched_getscheduler(0))
                watcher.isThere.signal()
            }
            watched.end()
            watcher.isThere.wait()
            seen = watcher.policies
        }
        #expect(seen == [Self.idle, Self.usual])
    }

    @Test func whoeverAsksAgainHasItGoOn() async {
        let turn = IdleTurn()
        let seen = await policies(turn) { seen in
            for _ in 0..<4 {
                turn.hurry()
                turn.endRound()
                seen.append(sched_getscheduler(0))
            }
            seen.append(getpriority(.init(0), 0))
        }
        #expect(seen == [Self.usual, Self.usual, Self.usual, Self.usual, 10])
    }

    @Test func forGoodIsUntilTheEndAlsoBeforeTheThreadBegins() async {
        let turn = IdleTurn()
        turn.hurry(forGood: true)
        let seen = await policies(turn) { seen in
            for _ in 0..<4 { turn.endRound() }
            seen.append(sched_getscheduler(0))
        }
        #expect(seen == [Self.usual])
    }

    @Test func aThreadThatEndsNoRoundHurriesAndIsIdleAfterIt() async {
        let turn = IdleTurn()
        let seen = await policies(turn) { seen in
            let end = ContinuousClock.now + .seconds(60)
            while sched_getscheduler(0) == Self.idle, .now < end { usleep(1_000) }
            seen.append(sched_getscheduler(0))
            for _ in 0..<2 { turn.endRound() }
            seen.append(sched_getscheduler(0))
        }
        #expect(seen == [Self.usual, Self.idle])
    }
}
