import Foundation
internal import Models

/// The bodies of `/healthz` and `/readyz`.
enum AdminAnswer {
    /// It answers, so it lives: who it is and what it listens on.
    struct Health: Encodable {
        let status = "ok"
        let service: String
        let version: String
        let pid: Int32
        let home: String
        let clock: ClockMode
        let now_ms: Int64
        let clock_speed: Double
        let started_at_ms: Int64
        let listeners: [String: String]
    }

    struct Ready: Encodable {
        struct Condition: Encodable {
            let name: String
            let ready: Bool
            let problem: String?
            let note: String?
        }
        let ready: Bool
        let service: String
        let conditions: [Condition]
    }

    static func health(_ host: ServiceHost) -> String {
        let record = host.listeners.current, clock = ClockState(host.clock)
        return text(
            Health(
                service: record.service.rawValue, version: record.version, pid: record.pid, home: host.home.path,
                clock: clock.mode, now_ms: clock.now, clock_speed: clock.speed, started_at_ms: record.startedAt,
                listeners: record.listeners))
    }

    static func readiness(_ host: ServiceHost) -> String {
        let conditions = host.readiness.conditions
        return text(
            Ready(
                ready: conditions.allSatisfy { $0.problem == nil }, service: host.service.rawValue,
                conditions: conditions.map {
                    .init(name: $0.name, ready: $0.problem == nil, problem: $0.problem, note: $0.note)
                }))
    }

    private static func text(_ value: some Encodable) -> String {
        (try? SortedJSON.text(of: value)) ?? "{}"
    }
}
