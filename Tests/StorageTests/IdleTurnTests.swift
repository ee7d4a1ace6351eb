import Foundation
import GRDB
import TemporaryFiles
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

    @Test func `a thread is of the idle class and hurries for a round that begins after it was asked`() async {
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

    @Test func `a thread that is overdue runs as other programs do until it is no more`() async {
        let turn = IdleTurn(), here = Int32(PRIO_PROCESS.rawValue)
        let seen = await policies(turn) { seen in
            turn.expect(.overdue)
            seen += [sched_getscheduler(0), getpriority(here, 0)]
            for _ in 0..<3 { turn.endRound() }
            seen += [sched_getscheduler(0), getpriority(here, 0)]
            turn.expect(.soon)
            seen.append(getpriority(here, 0))
            for _ in 0..<10 { turn.endRound() }
            seen.append(sched_getscheduler(0))
        }
        #expect(seen == [Self.usual, 0, Self.usual, 0, 10, Self.idle])
    }

    /// Works until the thread has given way, a minute at most; returns whether it has. After a round it no longer hurries.
    private static func givesWay(_ turn: IdleTurn, _ work: () throws -> Void) -> Bool {
        let before = IdleTurn.waysGiven, end = ContinuousClock.now + .seconds(60)
        repeat {
            guard (try? work()) != nil else { return false }
            turn.endRound()
        } while IdleTurn.waysGiven == before && ContinuousClock.now < end
        return IdleTurn.waysGiven > before
    }

    /// Works for as long as a thread that gives way does so ten times; returns whether it has not.
    private static func keepsOn(_ work: () throws -> Void) -> Bool {
        let before = IdleTurn.waysGiven, end = ContinuousClock.now + .milliseconds(1)
        repeat {
            guard (try? work()) != nil else { return false }
        } while ContinuousClock.now < end
        return IdleTurn.waysGiven == before
    }

    @Test func `a thread of the idle class gives way amid statements and writes to logs unless it hurries`()
        async throws
    {
        let directory = try TemporaryDirectory(), path = directory.path("a.sqlite"), turn = IdleTurn()
        let table = Migration("notes", sql: "CREATE TABLE notes (body BLOB NOT NULL)")
        let seen = await policies(turn) { seen in
            guard let database = try? ServiceDatabase(path: path, migrations: [table]) else {
                return
            }
            func step() throws {
                try database.read { db in
                    let statement = try PreparedStatement(db, "SELECT 1")
                    for _ in 0..<100 { _ = try statement.step() }
                }
            }
            func write() throws {
                try database.write { try $0.execute(sql: "INSERT INTO notes VALUES (randomblob(1000000))") }
            }
            for work in [step, write] { seen.append(Self.givesWay(turn, work) ? 1 : 0) }
            turn.hurry(forGood: true)
            for work in [step, write] { seen.append(Self.keepsOn(work) ? 1 : 0) }
        }
        #expect(seen == [1, 1, 1, 1])
        #expect(Self.keepsOn { IdleTurn.giveWay() }, "a thread without such a turn has its core")
    }

    @Test func `who watches for a thread of the idle class is not of it himself`() async {
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

    @Test func `whoever asks again has it go on`() async {
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

    @Test func `for good is until the end also before the thread begins`() async {
        let turn = IdleTurn()
        turn.hurry(forGood: true)
        let seen = await policies(turn) { seen in
            for _ in 0..<4 { turn.endRound() }
            seen.append(sched_getscheduler(0))
        }
        #expect(seen == [Self.usual])
    }

    @Test func `a thread whose round takes long runs as other programs do to its end`() async {
        let turn = IdleTurn(), here = Int32(PRIO_PROCESS.rawValue)
        let seen = await policies(turn) { seen in
            turn.expect(.soon)
            let end = ContinuousClock.now + .seconds(60)
            while getpriority(here, 0) > 0, .now < end { usleep(1_000) }
            seen += [getpriority(here, 0), sched_getscheduler(0)]
            turn.endRound()
            seen.append(getpriority(here, 0))
            for _ in 0..<10 { turn.endRound() }
            seen += [getpriority(here, 0), sched_getscheduler(0)]
        }
        #expect(seen == [0, Self.usual, 10, 10, Self.idle])
    }

    @Test func `a thread that ends no round hurries and is idle after it`() async {
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
