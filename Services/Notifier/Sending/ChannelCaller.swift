package import NotifierMessages
internal import ServiceLifecycle
internal import Synchronization

/// Messages of channels.
package typealias ChannelCaller = Caller<OutgoingCall>
/// Questions to subscribers.
package typealias QuestionCaller = Caller<OutgoingQuestion>

/// Carries calls out, each in a task of its own, and sees to it that each is answered exactly once, within a time.
///
/// How many run at the same time is bounded by who gives them. What is on the way when the program stops is sent again after the
/// next start.
package final class Caller<Call: Sendable>: Service {
    private let send: @Sendable (Call) async -> SendAnswer
    private let timeout: Duration
    private let answered: @Sendable (UInt64, SendAnswer) -> Void
    private let calls: AsyncStream<(UInt64, Call)>
    private let entrance: AsyncStream<(UInt64, Call)>.Continuation

    /// - Parameters:
    ///   - send: carries one out; from many tasks at once.
    ///   - timeout: longest that a call may take.
    ///   - answered: takes the answers; from any thread.
    package init(
        timeout: Duration, send: @escaping @Sendable (Call) async -> SendAnswer,
        answered: @escaping @Sendable (UInt64, SendAnswer) -> Void
    ) {
        self.send = send
        self.timeout = timeout
        self.answered = answered
        (calls, entrance) = AsyncStream.makeStream()
    }

    /// Takes a call by a number of the caller's; returns at once. From any thread.
    package func carryOut(_ number: UInt64, _ call: Call) { entrance.yield((number, call)) }

    /// Until the program is asked to stop.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await (number, call) in calls.cancelOnGracefulShutdown() {
                group.addTask { [self] in answered(number, await answer(to: call)) }
            }
            group.cancelAll()
        }
    }

    private func answer(to call: Call) async -> SendAnswer {
        await withTaskGroup(of: SendAnswer.self) { [send, timeout] group in
            group.addTask { await send(call) }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return .failed(Task.isCancelled ? "the notifier stopped" : "no answer within \(timeout)")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failed("not sent")
        }
    }
}

extension Caller where Call == OutgoingCall {
    package convenience init(
        _ sender: any ChannelSender, timeout: Duration, answered: @escaping @Sendable (UInt64, SendAnswer) -> Void
    ) {
        self.init(timeout: timeout, send: { await sender.send($0) }, answered: answered)
    }
}

/// Answers to calls that wait for the thread that writes them down. Usable from any thread.
///
/// Bounded by the number of calls at once: each call is answered once.
package final class SendAnswers: Sendable {
    private let waiting = Mutex<[(number: UInt64, answer: SendAnswer)]>([])

    package init() {}

    package func add(_ number: UInt64, _ answer: SendAnswer) { waiting.withLock { $0.append((number, answer)) } }

    package var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    package func take() -> [(number: UInt64, answer: SendAnswer)] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
