import Dispatch
import Foundation
import Synchronization
import Testing
import SocketTesting
import TemporaryFiles
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct SocketThreadTests {
    @Test
    func `no piece of work is lost when many threads enqueue at once`() async throws {
        let fixture = try Fixture()
        let ran = Atomic<Int>(0)
        let (threads, each) = (16, 5_000)
        // A lost wake-up leaves the last piece of a round waiting for ever, so there are many rounds.
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<each { fixture.thread.enqueue { _ in ran.wrappingAdd(1, ordering: .relaxed) } }
        }
        let inbox = Inbox<Int>()
        fixture.thread.enqueue { _ in inbox.put(ran.load(ordering: .relaxed)) }
        #expect(try await inbox.wait(for: 1) == [threads * each])
    }

    @Test
    func `each single enqueue wakes a sleeping thread`() throws {
        let fixture = try Fixture()
        for round in 0..<5_000 { #expect(try fixture.thread.call { _ in round } == round) }
    }

    @Test
    func `work of one thread runs in the order it was enqueued, before and after the start`() async throws {
        let thread = SocketThread(name: "order", context: try Context())
        let inbox = Inbox<Int>()
        for number in 0..<10 { thread.enqueue { _ in inbox.put(number) } }
        #expect(inbox.items.isEmpty)
        thread.start()
        for number in 10..<1_000 { thread.enqueue { _ in inbox.put(number) } }
        #expect(try await inbox.wait(for: 1_000) == Array(0..<1_000))
        thread.stop()
    }

    @Test
    func `stop() does not wait for messages that nobody takes`() throws {
        let directory = try TemporaryDirectory()
        let endpoint = "ipc://\(directory.path)/nobody"
        var context: Context? = try Context()
        let thread = SocketThread(name: "unsent", context: context!)
        thread.start()
        try thread.call { loop in
            var options = SocketOptions()
            options.immediate = false
            options.linger = .milliseconds(100)
            let dealer = try loop.open(.dealer, options: options, connect: endpoint)
            for _ in 0..<100 { #expect(try loop.send([[1]], on: dealer)) }
        }
        let begun = ContinuousClock.now
        thread.stop()
        context = nil
        #expect(ContinuousClock.now - begun < .seconds(60))
    }

    @Test
    func `after stop() a call fails and says so, and enqueued work is dropped`() throws {
        let thread = SocketThread(name: "stopped", context: try Context())
        thread.start()
        thread.stop()
        thread.stop()
        let ran = Mutex(false)
        thread.enqueue { _ in ran.withLock { $0 = true } }
        let error = #expect(throws: ZeroMQError.self) { try thread.call { _ in ran.withLock { $0 = true } } }
        #expect(error?.isStopped == true)
        #expect(!ran.withLock { $0 })
    }

    @Test
    func `work enqueued before stop() is still done, and what it sends is delivered`() async throws {
        let directory = try TemporaryDirectory()
        let endpoint = "ipc://\(directory.path)/socket"
        let receiver = try Fixture()
        let inbox = Inbox<[Frame]>()
        _ = try receiver.listen(.pull, SocketOptions(), at: endpoint, into: inbox)
        let thread = SocketThread(name: "sender", context: try Context())
        thread.start()
        let handle = try thread.call { loop in
            var options = SocketOptions()
            options.immediate = false
            return try loop.open(.push, options: options, connect: endpoint)
        }
        for number in 0..<200 { thread.enqueue { loop in _ = try? loop.send([[UInt8(number)]], on: handle) } }
        thread.stop()
        #expect(try await inbox.wait(for: 200).map { Int($0[0][0]) } == Array(0..<200))
    }

    @Test
    func `a thread that must end by itself says why`() async throws {
        let directory = try TemporaryDirectory()
        let context = try Context()
        let failures = Inbox<ZeroMQError>()
        let thread = SocketThread(name: "failing", context: context) { failures.put($0) }
        thread.start()
        try thread.call { loop in
            let pull = try loop.open(.pull, bind: "ipc://\(directory.path)/socket")
            loop.onReceive(pull) { _ in }
        }
        context.shutdown()
        #expect(try await failures.wait(for: 1)[0].isStopped)
        #expect(throws: ZeroMQError.self) { try thread.call { _ in } }
        thread.stop()
    }

    @Test
    func `a call that waits while the thread stops fails instead of hanging`() async throws {
        let thread = SocketThread(name: "stopping", context: try Context())
        thread.start()
        let results = Inbox<Bool>()
        for _ in 0..<8 {
            Thread.detachNewThread {
                while true {
                    do { try thread.call { _ in } } catch {
                        return results.put((error as? ZeroMQError)?.isStopped == true)
                    }
                }
            }
        }
        thread.stop()
        #expect(try await results.wait(for: 8) == Array(repeating: true, count: 8))
    }

    @Test
    func `a timer beats until it is cancelled, and after() fires once`() async throws {
        let fixture = try Fixture()
        let inbox = Inbox<String>()
        try fixture.thread.call { loop in
            var beats = 0
            var timer: TimerHandle?
            timer = loop.every(.milliseconds(1)) {
                beats += 1
                inbox.put("beat")
                if beats == 3, let timer { loop.cancel(timer) }
            }
            loop.after(.milliseconds(20)) { inbox.put("once") }
        }
        #expect(try await inbox.wait(for: 4) == ["beat", "beat", "beat", "once"])
    }

    @Test
    func `a handler may close its own socket`() async throws {
        let directory = try TemporaryDirectory()
        let fixture = try Fixture()
        let inbox = Inbox<[Frame]>()
        let endpoint = "ipc://\(directory.path)/socket"
        try fixture.thread.call { loop in
            let pull = try loop.open(.pull, bind: endpoint)
            loop.onReceive(pull) { frames in
                inbox.put(frames)
                loop.close(pull)
            }
            var options = SocketOptions()
            options.immediate = false
            let push = try loop.open(.push, options: options, connect: endpoint)
            for number in 0..<10 { try loop.send([[UInt8(number)]], on: push) }
        }
        _ = try await inbox.wait(for: 1)
        try fixture.thread.call { _ in }
        #expect(inbox.items == [[[0]]])
    }
}
