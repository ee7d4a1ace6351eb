import ServiceKit

/// Decides what `nkul up` does: which service to start when, when to say that all are ready, when to give up.
///
/// Pure: times are milliseconds of a clock that only rises.
///
///     start → running → ready ─┐ dies: wait 0.1 s, 0.2 s … 5 s, start again
///                └─ cannot start (exit code 2, or an exit before anything was ever ready) → stop all, end
struct UpCore: Sendable {
    enum Event: Equatable, Sendable {
        case begin
        case tick
        case ready(ServiceName)
        /// It runs and says why it is not ready.
        case unready(ServiceName, String)
        case ended(ServiceName, UpEnd)
        /// SIGTERM, SIGINT or SIGHUP.
        case stop
    }

    enum Action: Equatable, Sendable {
        case start(ServiceName)
        case terminate(ServiceName)
        case kill(ServiceName)
        /// All services are ready for the first time.
        case announce
        /// For people, on stderr.
        case say(String)
        /// `nkul up` ends with this exit code.
        case end(Int32)
    }

    enum State: Equatable, Sendable {
        case waiting(until: Int64)
        case running(since: Int64)
        case ready(since: Int64)
        case ended
    }

    /// A service that was well for so long begins with the shortest delay again.
    static let recovered: Int64 = 10_000
    /// Services end within 10 s by themselves; then they are killed.
    static let patience: Int64 = 9_500

    private(set) var states: [(service: ServiceName, state: State)]
    private var failures: [ServiceName: Int] = [:]
    /// When it was last said what a service is waiting for.
    private var told: [ServiceName: Int64] = [:]
    private var isAnnounced = false
    private var stopping: (since: Int64, code: Int32, isImpatient: Bool)?

    init(services: [ServiceName]) {
        states = services.map { ($0, .waiting(until: 0)) }
    }

    mutating func handle(_ event: Event, now: Int64) -> [Action] {
        switch event {
        case .begin, .tick: tick(now)
        case .ready(let service): ready(service, now)
        case .unready(let service, let reason): unready(service, reason, now)
        case .ended(let service, let end): ended(service, end, now)
        case .stop: stop(code: 0, now)
        }
    }

    private mutating func tick(_ now: Int64) -> [Action] {
        if let stopping {
            guard now - stopping.since >= Self.patience, !stopping.isImpatient else { return [] }
            return kill()
        }
        var actions: [Action] = []
        for index in states.indices {
            guard case .waiting(let until) = states[index].state, until <= now else { continue }
            states[index].state = .running(since: now)
            actions.append(.start(states[index].service))
        }
        return actions
    }

    private mutating func ready(_ service: ServiceName, _ now: Int64) -> [Action] {
        guard stopping == nil, let index = index(of: service), case .running = states[index].state else { return [] }
        states[index].state = .ready(since: now)
        if isAnnounced { return [.say("\(service.executable) is ready again")] }
        guard states.allSatisfy({ if case .ready = $0.state { true } else { false } }) else { return [] }
        isAnnounced = true
        return [.announce]
    }

    /// Somebody waits: every ten seconds they hear for what.
    private mutating func unready(_ service: ServiceName, _ reason: String, _ now: Int64) -> [Action] {
        guard stopping == nil, let index = index(of: service), case .running(let since) = states[index].state,
            now - max(since, told[service, default: 0]) >= Self.recovered
        else { return [] }
        told[service] = now
        return [.say("still waiting for \(service.executable): \(reason)")]
    }

    private mutating func ended(_ service: ServiceName, _ end: UpEnd, _ now: Int64) -> [Action] {
        guard let index = index(of: service) else { return [] }
        let before = states[index].state
        states[index].state = .ended
        if stopping != nil { return endIfAllEnded() }
        if cannotStart(end, before) {
            let code: Int32 = end == .exited(2) ? 2 : 1
            return [.say("\(service.executable) could not start (\(end)): see its message above")]
                + stop(code: code, now)
        }
        let delay = delay(after: before, of: service, now)
        states[index].state = .waiting(until: now + delay)
        return [.say("\(service.executable) \(end); starting it again in \(Double(delay) / 1_000) s")]
    }

    private func cannotStart(_ end: UpEnd, _ before: State) -> Bool {
        if end == .exited(2) { return true }
        guard case .exited = end, case .running = before else { return false }
        return !isAnnounced
    }

    private mutating func delay(after before: State, of service: ServiceName, _ now: Int64) -> Int64 {
        if case .ready(let since) = before, now - since >= Self.recovered { failures[service] = 0 }
        let count = failures[service, default: 0]
        failures[service] = count + 1
        return min(5_000, 100 << Int64(min(count, 10)))
    }

    /// The second wish to stop is that of somebody in a hurry.
    private mutating func stop(code: Int32, _ now: Int64) -> [Action] {
        guard stopping == nil else { return kill() }
        stopping = (now, code, false)
        for index in states.indices {
            if case .waiting = states[index].state { states[index].state = .ended }
        }
        let alive = states.filter { $0.state != .ended }
        return alive.map { .terminate($0.service) } + endIfAllEnded()
    }

    private mutating func kill() -> [Action] {
        stopping?.isImpatient = true
        stopping?.code = 1
        return states.filter { $0.state != .ended }.map { .kill($0.service) }
    }

    private func endIfAllEnded() -> [Action] {
        guard let stopping, states.allSatisfy({ $0.state == .ended }) else { return [] }
        return [.end(stopping.code)]
    }

    private func index(of service: ServiceName) -> Int? { states.firstIndex { $0.service == service } }
}
