import Foundation
import NIOCore
import ServiceKit
import Synchronization
import Wire

/// Sends uploads until they are answered for good. Any task.
final class ReplaySender: Sendable {
    /// Without any receipt for so long, a run gives up.
    static let patience = Duration.seconds(120)
    /// The same while there was no answer at all, as nobody may be there. A 503 is an answer.
    static let firstPatience = Duration.seconds(30)

    let pool: LoadPool
    let tally = ReplayTally()
    private let target: ReplayTarget
    private let run: String
    private let contact = Mutex(Contact())
    private let patience: Duration
    private let firstPatience: Duration
    private let say: @Sendable (String) -> Void

    /// What is known of the service.
    private struct Contact {
        /// When it last took or refused something for good.
        var last = ContinuousClock.now
        /// Whether it ever answered, be it that it is busy.
        var hasAnswered = false
        /// Whether it was said that nobody answers.
        var isMissed = false
    }

    /// - Parameters:
    ///   - authorities: PEM file with those whose certificates are trusted; nil: those whom the system trusts.
    ///   - run: a name no other run has; with it, a receipt of an earlier run is not taken for one of this run.
    ///   - say: hears at once that nobody answers, and that somebody does again.
    /// - Throws: ``ServiceError`` of code `usage` if `authorities` cannot be used.
    init(
        target: ReplayTarget, authorities: String? = nil, connections: Int, run: String,
        timeout: TimeAmount = .seconds(30), patience: Duration = patience, firstPatience: Duration = firstPatience,
        say: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.target = target
        self.run = run
        self.patience = patience
        self.firstPatience = min(patience, firstPatience)
        self.say = say
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
                answered()
                try end(.taken(response))
                return true
            case .refused(let status, let code):
                answered()
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

    private func answered() {
        let wasMissed = contact.withLock { contact in
            defer { contact = Contact(hasAnswered: true) }
            return contact.isMissed
        }
        if wasMissed { say("\(target) answers") }
    }

    private func giveUpIfSilent(_ result: Result<LoadResponse, LoadFailure>) throws {
        let (contact, wasMissed) = contact.withLock { contact in
            let wasMissed = contact.isMissed
            switch result {
            case .failure: contact.isMissed = true
            case .success: contact.hasAnswered = true
            }
            return (contact, wasMissed)
        }
        let patience = contact.hasAnswered ? patience : firstPatience
        let cause: String
        switch result {
        case .success(let response): cause = "it answers \(response.status)"
        case .failure(let failure):
            cause = failure.description
            if !wasMissed { say("\(Self.missing(target, failure)); trying again for \(patience.components.seconds) s") }
        }
        guard ContinuousClock.now - contact.last > patience else { return }
        throw ServiceError(
            .failed,
            contact.hasAnswered
                ? "the device API at \(target) took nothing for \(patience.components.seconds) s (\(cause)); run it again to go on"
                : "the device API at \(target) did not answer for \(patience.components.seconds) s (\(cause)); start it with \"nkul up\", or say"
                    + " where it is with --url")
    }

    private static func missing(_ target: ReplayTarget, _ failure: LoadFailure) -> String {
        if case .unreachable = failure { return "nobody listens at \(target)" }
        return "\(target) does not answer (\(failure))"
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
