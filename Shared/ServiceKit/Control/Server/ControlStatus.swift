/// The answer to `status`, which every service has.
struct ControlStatus: Encodable {
    struct Condition: Encodable {
        let name: String
        let ready: Bool
        let problem: String?
    }

    let service: String
    let version: String
    let pid: Int32
    let home: String
    let started_at_ms: Int64
    let clock: ClockMode
    let ready: Bool
    let conditions: [Condition]
    let listeners: [String: String]

    init(_ host: ServiceHost) {
        let record = host.listeners.current, conditions = host.readiness.conditions
        service = record.service.rawValue
        version = record.version
        pid = record.pid
        home = host.home.path
        started_at_ms = record.startedAt
        clock = host.clock.mode
        ready = conditions.allSatisfy { $0.problem == nil }
        self.conditions = conditions.map { Condition(name: $0.name, ready: $0.problem == nil, problem: $0.problem) }
        listeners = record.listeners
    }
}
