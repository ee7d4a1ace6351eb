import Foundation
import Logging
import Synchronization
import ZeroMQ

/// The calls under way on a control socket: who waits, and the task that answers. From any thread.
///
///     request   client │ 0 bytes │ JSON          as a ROUTER sees what a REQ sends
///     reply     the same frames before the JSON
final class ControlDispatcher: Sendable {
    private struct Waiting {
        let envelope: [Frame]
        var tasks: [Task<Void, Never>] = []
    }

    private struct State {
        var isOpen = true
        var last: UInt64 = 0
        var waiting: [UInt64: Waiting] = [:]
    }

    private let calls: [String: ControlCall]
    private let longest: Duration
    private let logger: Logger
    private let send: @Sendable ([Frame]) -> Void
    private let state = Mutex(State())

    init(
        calls: [String: ControlCall], longest: Duration, logger: Logger, send: @escaping @Sendable ([Frame]) -> Void
    ) {
        self.calls = calls
        self.longest = longest
        self.logger = logger
        self.send = send
    }

    /// Takes a message: answers what is wrong with it at once, everything else from a task. Never blocks.
    func take(_ frames: [Frame]) {
        guard let delimiter = frames.firstIndex(of: []), delimiter > 0 else {
            return logger.debug("control message dropped", metadata: ["frames": "\(frames.count)"])
        }
        let envelope = Array(frames[...delimiter]), body = frames[(delimiter + 1)...]
        do throws(ControlError) {
            let request = try Self.request(body)
            guard let call = calls[request.call] else { throw unknown(request.call) }
            start(call, request.arguments, try admit(envelope))
        } catch {
            reply(.error(error), to: envelope)
        }
    }

    /// Answers all that wait with `stopping`, cancels their tasks, and takes nothing more.
    func close() {
        let waiting = state.withLock { state in
            state.isOpen = false
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for call in waiting {
            for task in call.tasks { task.cancel() }
            reply(.error(Self.stopping), to: call.envelope)
        }
    }

    private func start(_ call: ControlCall, _ arguments: JSONValue, _ number: UInt64) {
        let answering = Task {
            do {
                finish(number, .result(try await call.answer(arguments)))
            } catch {
                finish(number, .error(ControlError(error)))
            }
        }
        let waiting = Task { [longest] in
            guard (try? await Task.sleep(for: longest)) != nil else { return }
            finish(
                number,
                .error(ControlError(code: ControlError.timeout, message: "\(call.name) was not done in \(longest)")))
        }
        let isWaiting = state.withLock { state in
            state.waiting[number]?.tasks = [answering, waiting]
            return state.waiting[number] != nil
        }
        if !isWaiting { for task in [answering, waiting] { task.cancel() } }
    }

    /// The first answer counts; what else runs for the call is cancelled.
    private func finish(_ number: UInt64, _ answer: ControlReply) {
        guard let call = state.withLock({ $0.waiting.removeValue(forKey: number) }) else { return }
        reply(answer, to: call.envelope)
        for task in call.tasks { task.cancel() }
    }

    private func admit(_ envelope: [Frame]) throws(ControlError) -> UInt64 {
        let admission: Result<UInt64, ControlError> = state.withLock { state in
            guard state.isOpen else { return .failure(Self.stopping) }
            guard state.waiting.count < ControlServer.mostCalls else { return .failure(Self.busy) }
            state.last += 1
            state.waiting[state.last] = Waiting(envelope: envelope)
            return .success(state.last)
        }
        return try admission.get()
    }

    private func reply(_ reply: ControlReply, to envelope: [Frame]) { send(envelope + [reply.bytes()]) }

    private static func request(_ body: ArraySlice<Frame>) throws(ControlError) -> ControlRequest {
        let size = body.reduce(0) { $0 + $1.count }
        guard size <= ControlRequest.mostBytes else {
            throw ControlError(
                code: ControlError.tooLarge,
                message: "the request has \(size) bytes, more than \(ControlRequest.mostBytes)")
        }
        guard body.count == 1, let text = body.first,
            let request = try? JSONDecoder().decode(ControlRequest.self, from: Data(text))
        else {
            throw ControlError(
                code: ControlError.malformed,
                message: #"the request is not one frame of JSON as {"call":"status","arguments":{}}"#)
        }
        return request
    }

    private func unknown(_ name: String) -> ControlError {
        ControlError(
            code: ControlError.unknownCall,
            message:
                "there is no call \"\(name.prefix(64))\" here; there are \(calls.keys.sorted().joined(separator: ", "))"
        )
    }

    private static let stopping = ControlError(code: ControlError.stopping, message: "the service is stopping")
    private static let busy = ControlError(
        code: ControlError.busy,
        message: "the service has \(ControlServer.mostCalls) calls under way; try again")
}
