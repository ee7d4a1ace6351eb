import CommandSupport
import Models
import ServiceKit

/// Drives the clocks of a home's services while recordings are played (`nkul replay --clock`).
struct ReplayClock: Sendable {
    /// Asks a service on its control socket.
    typealias Ask = @Sendable (ServiceName, _ call: String, _ arguments: JSONValue) async throws -> JSONValue

    let services: [ServiceName]
    private let now: @Sendable () -> UnixMilliseconds
    private let keep: @Sendable (RecordingTime) throws -> Void
    private let ask: Ask

    /// - Parameters:
    ///   - services: all of them must run.
    ///   - now: the system's clock.
    ///   - keep: leaves the time for services that start later.
    init(
        _ services: [ServiceName], now: @escaping @Sendable () -> UnixMilliseconds,
        keep: @escaping @Sendable (RecordingTime) throws -> Void, ask: @escaping Ask
    ) {
        self.services = services
        self.now = now
        self.keep = keep
        self.ask = ask
    }

    init(_ services: [ServiceName], in home: Home) {
        let control = ControlClients(home: home)
        self.init(services, now: SystemTime.unixMilliseconds) {
            try RecordingClock.keep($0, in: home)
        } ask: {
            try await control.ask($0, $1, $2)
        }
    }

    /// Looks whether every service runs and follows recordings.
    ///
    /// - Throws: ``ServiceError`` naming those that do not, and the setting.
    func check() async throws {
        let answers = await askAll("clock.show", [:])
        try refuse(
            answers.compactMap { service, answer in
                switch answer {
                case .failure(let error): "\(error)"
                case .success(let state) where state["clock"]?.string == ClockMode.recording.rawValue: nil
                case .success: "\(service.executable) follows the system's clock; start it with NKUL_CLOCK=recording"
                }
            })
    }

    /// The clocks show a time and stand, until the first upload is due. They may go back.
    func hold(at time: UnixMilliseconds) async throws {
        try await set(RecordingTime(recordingAt: time, systemAt: now(), speed: 0), begin: true)
    }

    /// The clocks show `time` at this moment and run from there.
    func run(from time: UnixMilliseconds, speed: Double) async throws {
        try await set(RecordingTime(recordingAt: time, systemAt: now(), speed: speed), begin: true)
    }

    /// The clocks are the system's again, those of services that were stopped meanwhile too when they start anew.
    ///
    /// - Throws: ``ServiceError`` naming the services that could not be told; they catch up with the system by themselves.
    func release() async throws {
        let time = RecordingTime.system(at: now())
        let failures = await tell(time, begin: false)
        try keep(time)
        try refuse(failures.filter { ($0 as? ControlError)?.code != ControlError.down }.map { "\($0)" })
    }

    private func set(_ time: RecordingTime, begin: Bool) async throws {
        try refuse(await tell(time, begin: begin).map { "\($0)" })
    }

    /// The errors of the services that did not take it.
    private func tell(_ time: RecordingTime, begin: Bool) async -> [any Error] {
        let arguments: JSONValue = [
            "now_ms": .integer(time.recordingAt), "at_ms": .integer(time.systemAt), "speed": .number(time.speed),
            "begin": .bool(begin),
        ]
        return await askAll("clock.set", arguments).compactMap { _, answer in
            if case .failure(let error) = answer { error } else { nil }
        }
    }

    private func refuse(_ problems: [String]) throws {
        guard !problems.isEmpty else { return }
        throw ServiceError(.failed, "--clock: " + problems.joined(separator: "; "))
    }

    /// Asks all at once, to the end even if the run is cancelled meanwhile: no clock shall stay behind.
    ///
    /// - Returns: the answers in the order of the services.
    private func askAll(
        _ call: String, _ arguments: JSONValue
    ) async -> [(service: ServiceName, answer: Result<JSONValue, any Error>)] {
        let questions = services.map { service in
            Task { [ask] in try await ask(service, call, arguments) }
        }
        var answers: [(ServiceName, Result<JSONValue, any Error>)] = []
        for (service, question) in zip(services, questions) { answers.append((service, await question.result)) }
        return answers
    }
}
