import Foundation
import NIOCore
import ServiceKit
import Synchronization
import Wire

/// Sends uploads until they are answered for good. Any task.
final class ReplaySender: Sendable {
    /// Without any receipt for so long, a run gives up.
    static let patience = Duration.seconds(120)

    let pool: LoadPool
    let tally = ReplayTally()
    private let target: ReplayTarget
    private let run: String
    private let lastAnswer = Mutex(ContinuousClock.now)
    private let patience: Duration

    /// - Parameters:
    ///   - authorities: PEM file with those whose certificates are trusted; nil: those whom the system trusts.
    ///   - run: a name no other run has; with it, a receipt of an earlier run is not taken for one of this run.
    /// - Throws: ``ServiceError`` of code `usage` if `authorities` cannot be used.
    init(
        target: ReplayTarget, authorities: String? = nil, connections: Int, run: String,
        timeout: TimeAmount = .seconds(30), patience: Duration = patience
    ) throws {
        self.target = target
        self.run = run
        self.patience = patience
        pool = try LoadPool(
            host: target.address.host, port: target.address.port, connections: connections, timeout: timeout,
            security: target.security(authorities: authorities))
    }

    /// Sends an upload; returns true when it was taken or refused for good, false if the task was cancelled before.
    ///
    /// - Throws: ``ServiceError`` if nothing can be sent, or nobody answers for two minutes.
    func deliver(_ upload: ReplayUpload, number: Int, token: String, due: ContinuousClock.Instant) async throws -> Bool
    {
        let request = try request(upload, number: number, token: token)
        return try await exchange(request) { result in
            switch result {
            case .taken(let response):
                guard let answer = ReplayAnswer(response) else {
                    throw ServiceError(.failed, "\(self.target) answered \(response.status) with no receipt")
                }
                let elapsed = (ContinuousClock.now - due).components
                let microseconds = max(0, elapsed.seconds * 1_000_000 + elapsed.attoseconds / 1_000_000_000_000)
                self.tally.receive(answer, rows: upload.rows, microseconds: UInt64(microseconds))
            case .refused(let status, let code):
                self.tally.refuse(status, code, rows: upload.rows)
            }
        }
    }

    /// Enrols a phone and gives its token; nil if the task was cancelled before.
    func enrol() async throws -> String? {
        struct Enrolled: Decodable { let token: String }
        let body = """
            {"platform":"replay","app_version":"\(Version.text)","policy_version":"replay","consent":{"measurement":true,\
            "location_precise":true,"location_coarse":true,"call_events":true,"rewards":true,"operator_sharing":true,\
            "research":true}}
            """
        let request = LoadRequest(
            method: "POST", host: target.address.description, path: "/v1/devices",
            headers: [("Content-Type", "application/json")], body: Array(body.utf8))
        var token: String?
        _ = try await exchange(request) { result in
            switch result {
            case .taken(let response):
                token = (try? JSONDecoder().decode(Enrolled.self, from: Data(response.body.readableBytesView)))?.token
                if token == nil {
                    throw ServiceError(.failed, "\(self.target) enrolled a phone without a token")
                }
            case .refused(let status, let code):
                throw ServiceError(.failed, "\(self.target) does not enrol phones: \(status) \(code)")
            }
        }
        return token
    }

    private enum Ending {
        case taken(LoadResponse)
        case refused(Int, String)
    }

    /// Sends until there is an answer that stands.
    private func exchange(_ request: LoadRequest, _ end: (Ending) throws -> Void) async throws -> Bool {
        var attempt = 0
        while true {
            let result = await result(of: request)
            switch ReplayRetry.decide(result, attempt: attempt) {
            case .done:
                guard case .success(let response) = result else { return false }
                lastAnswer.withLock { $0 = .now }
                try end(.taken(response))
                return true
            case .refused(let status, let code):
                lastAnswer.withLock { $0 = .now }
                try end(.refused(status, code))
                return true
            case .fatal(let message):
                throw ServiceError(.failed, message)
            case .again(let delay):
                guard !Task.isCancelled else { return false }
                try giveUpIfSilent(result)
                tally.retry()
                attempt += 1
                try? await Task.sleep(for: .milliseconds(delay))
            }
        }
    }

    private func result(of request: LoadRequest) async -> Result<LoadResponse, LoadFailure> {
        do { return .success(try await pool.send(request)) } catch { return .failure(error) }
    }

    private func giveUpIfSilent(_ result: Result<LoadResponse, LoadFailure>) throws {
        guard ContinuousClock.now - lastAnswer.withLock({ $0 }) > patience else { return }
        let cause =
            switch result {
            case .success(let response): "it answers \(response.status)"
            case .failure(let failure): "\(failure)"
            }
        throw ServiceError(
            .failed,
            "the device API at \(target) took nothing for \(patience) (\(cause)); run it again to go on")
    }

    private func request(_ upload: ReplayUpload, number: Int, token: String) throws -> LoadRequest {
        LoadRequest(
            method: "POST", host: target.address.description,
            path: upload.sender.kind.path,
            headers: [
                ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"),
                ("Content-Encoding", "gzip"),
                ("Idempotency-Key", "\(run)-\(number)"),
            ],
            body: try Deflater.deflate(upload.body))
    }
}
