import CommandSupport
import Foundation
import ServiceKit
import Synchronization

/// Carries out what ``UpCore`` decides: starts, watches and stops the services' processes.
actor UpSupervisor {
    private let home: Home
    private let directory: String
    private let arguments: [String]
    private let environment: [String: String]
    private let announce: @Sendable (UpAnnouncement) -> Void
    private let say: @Sendable (_ service: ServiceName?, String) -> Void
    private let events: AsyncStream<UpCore.Event>
    private let feed: AsyncStream<UpCore.Event>.Continuation
    private let start = ContinuousClock.now
    private var core: UpCore
    private var children: [ServiceName: UpChild] = [:]
    private var isProbing = false

    /// - Parameters:
    ///   - directory: where the services' programs are.
    ///   - arguments: given to each of them.
    ///   - announce: called once, when all are ready.
    ///   - say: lines for people; of a service, or of `nkul up` itself.
    init(
        services: [ServiceName], home: Home, directory: String, arguments: [String], environment: [String: String],
        announce: @escaping @Sendable (UpAnnouncement) -> Void, say: @escaping @Sendable (ServiceName?, String) -> Void
    ) {
        self.home = home
        self.directory = directory
        self.arguments = arguments
        self.environment = environment
        self.announce = announce
        self.say = say
        (events, feed) = AsyncStream.makeStream()
        core = UpCore(services: services)
    }

    /// Asks for the end; a second time: at once. From anywhere.
    nonisolated func stop() { feed.yield(.stop) }

    /// Runs until all services have ended, and returns the exit code.
    func run() async -> Int32 {
        feed.yield(.begin)
        let ticker = Task { [feed] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(50))
                feed.yield(.tick)
            }
        }
        defer { ticker.cancel() }
        for await event in events {
            if let code = perform(core.handle(event, now: now)) { return code }
            if event == .tick { probe() }
        }
        return 1
    }

    private var now: Int64 {
        let passed = start.duration(to: .now).components
        return passed.seconds * 1_000 + passed.attoseconds / 1_000_000_000_000_000
    }

    private func perform(_ actions: [UpCore.Action]) -> Int32? {
        for action in actions {
            switch action {
            case .start(let service): launch(service)
            case .terminate(let service): children[service]?.send(signal: SIGTERM)
            case .kill(let service): children[service]?.send(signal: SIGKILL)
            case .announce: announce(UpAnnouncement(home: home, records: records()))
            case .say(let text): say(nil, text)
            case .end(let code): return code
            }
        }
        return nil
    }

    private func launch(_ service: ServiceName) {
        do {
            children[service] = try UpChild(
                program: "\(directory)/\(service.executable)", arguments: arguments, environment: environment,
                line: { [say] in say(service, $0) }, ended: { [feed] in feed.yield(.ended(service, $0)) })
        } catch {
            say(nil, "\(error)")
            feed.yield(.ended(service, .exited(1)))
        }
    }

    /// Asks those that are not ready yet, off the cooperative pool, one round at a time.
    private func probe() {
        let waiting = core.states.compactMap { service, state in
            if case .running = state { (service, children[service]?.pid) } else { nil }
        }
        guard !isProbing, !waiting.isEmpty else { return }
        isProbing = true
        let home = home
        DispatchQueue.global().async { [feed] in
            for (service, pid) in waiting { feed.yield(Self.readiness(service, pid, home)) }
            Task { await self.probed() }
        }
    }

    private func probed() { isProbing = false }

    private func records() -> [ServiceRecord] {
        core.states.compactMap { ServiceRecord.ofRunning($0.service, in: home) }
    }

    private static func readiness(_ service: ServiceName, _ pid: Int32?, _ home: Home) -> UpCore.Event {
        guard let record = ServiceRecord.ofRunning(service, in: home), record.pid == pid,
            let address = record.listeners["admin"].flatMap({ HostPort($0) })
        else { return .unready(service, "it listens nowhere yet") }
        guard let answer = AdminProbe(address: address).get("/readyz") else {
            return .unready(service, "it does not answer on \(address)")
        }
        return answer.status == 200 ? .ready(service) : .unready(service, DoctorServices.problems(in: answer.body))
    }
}
