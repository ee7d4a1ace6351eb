import Foundation
import Models
import ZeroMQ

/// Asks a running service on its control socket.
///
/// A value without resources: each call has a socket of its own, so any number may be under way.
public struct ControlClient: Sendable {
    private let home: Home
    private let service: ServiceName

    public init(_ home: Home, _ service: ServiceName) {
        self.home = home
        self.service = service
    }

    /// Makes a call and waits for its result.
    ///
    /// - Throws: ``ControlError``: the service's own, or `service_down` naming the service and how to start it, `timeout`,
    ///   `too_large`; ``ServiceError`` for a path that is too long.
    public func call(
        _ name: String, _ arguments: JSONValue = [:], timeout: Duration = .seconds(10)
    ) async throws -> JSONValue {
        let request = try SortedJSON.bytes(of: ControlRequest(call: name, arguments: arguments))
        guard request.count <= ControlRequest.mostBytes else {
            throw ControlError(
                code: ControlError.tooLarge,
                message: "\(name): the request has \(request.count) bytes, more than \(ControlRequest.mostBytes)")
        }
        let address = try ControlAddress(home, service)
        if let cause = ControlProbe.refusal(at: address.path) { throw unreachable(address, errno: cause) }
        let reply = try await exchange(request, at: address, timeout: timeout)
        switch try JSONDecoder().decode(ControlReply.self, from: Data(reply)) {
        case .result(let value): return value
        case .error(let error): throw error
        }
    }

    private func exchange(_ request: [UInt8], at address: ControlAddress, timeout: Duration) async throws -> [UInt8] {
        let sockets = SocketThread(name: "control-client", context: try Context())
        sockets.start()
        defer { sockets.stop() }
        let answer = ControlAnswer()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in
                answer.wait(waiting)
                sockets.enqueue { loop in
                    do { try ask(request, at: address, timeout: timeout, answer, loop) } catch { answer.fail(error) }
                }
            }
        } onCancel: {
            answer.fail(CancellationError())
        }
    }

    private func ask(
        _ request: [UInt8], at address: ControlAddress, timeout: Duration, _ answer: ControlAnswer, _ loop: SocketLoop
    ) throws {
        var options = SocketOptions()
        options.immediate = false
        options.linger = .zero
        options.maximumFrameBytes = Int64(ControlReply.mostBytes)
        let socket = try loop.open(.req, options: options, connect: address.endpoint)
        loop.onReceive(socket) { answer.give($0.last ?? []) }
        try loop.onConnection(socket) { event in
            guard event == .disconnected else { return }
            // An answer may be there already, seen a turn later than the end of the connection.
            loop.after(.milliseconds(100)) { answer.fail(gone) }
        }
        loop.after(timeout) { answer.fail(late(timeout)) }
        try loop.send([request], on: socket)
    }

    private var gone: ControlError {
        ControlError(
            code: ControlError.down,
            message: "\(service.executable) stopped before it answered; whether it did what was asked is not known")
    }

    private func late(_ timeout: Duration) -> ControlError {
        ControlError(
            code: ControlError.timeout,
            message:
                "\(service.executable) did not answer within \(timeout); whether it did what was asked is not known")
    }

    private func unreachable(_ address: ControlAddress, errno code: Int32) -> ControlError {
        ControlError(code: ControlError.down, message: reason(address, code))
    }

    private func reason(_ address: ControlAddress, _ code: Int32) -> String {
        if code != ENOENT && code != ECONNREFUSED {
            return "\(service.executable) cannot be reached on \(address.path): \(ErrnoText.of(code))"
        }
        if HomeLock.isHeld(home, of: service) {
            return "\(service.executable) is starting or stopping: nothing answers on \(address.path); try again"
        }
        guard ServiceName.built.contains(service) else {
            return "\(service.executable) does not run in the home \(home.path); it is optional: start it with"
                + " NKUL_HOME=\(home.path) \(service.executable), or with the others by NKUL_NOTIFIER=1 nkul up"
        }
        return "\(service.executable) does not run in the home \(home.path); start it with"
            + " NKUL_HOME=\(home.path) \(service.executable), or all services with nkul up --home \(home.path)"
    }
}
