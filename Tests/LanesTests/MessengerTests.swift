import Glibc
import Synchronization
import Testing

@testable import Lanes
@testable import Storage

@Suite struct MessengerTests {
    @Test(.enabled(if: IdleTurn.isOpen))
    func `what a thread of leftovers has told comes in order and at the usual turn`() async {
        let messenger = Messenger(), told = Mutex<[Int]>([])
        messenger.start()
        let policies = await withCheckedContinuation { done in
            WorkThread.start("leftovers", niceness: 10, idle: IdleTurn()) {
                let own = sched_getscheduler(0)
                for number in 0..<100 { messenger.tell { told.withLock { $0.append(number) } } }
                messenger.tell { done.resume(returning: (own, sched_getscheduler(0), getpriority(.init(0), 0))) }
            }
        }
        #expect(policies.0 == 5)  // SCHED_IDLE
        #expect(policies.1 == 0 && policies.2 == 0)
        #expect(told.withLock { $0 } == Array(0..<100))
        messenger.end()
    }

    @Test func `without a thread it is told at once and what waited is told before the end`() async {
        let messenger = Messenger(), count = Mutex(0)
        messenger.tell { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
        messenger.start()
        await withCheckedContinuation { done in
            messenger.tell { usleep(50_000) }
            messenger.tell { count.withLock { $0 += 1 } }
            messenger.tell { done.resume() }
            messenger.end()
        }
        #expect(count.withLock { $0 } == 2)
        messenger.tell { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 3)
    }
}
