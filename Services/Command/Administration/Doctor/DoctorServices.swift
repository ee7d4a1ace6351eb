import CommandSupport
import Foundation
import ServiceKit

/// Looks whether services run, are of this build, and are ready.
struct DoctorServices {
    let home: Home
    /// Those that live there.
    var services = ServiceName.built

    func findings() -> [DoctorFinding] {
        let othersRun = services.contains { HomeLock.isHeld(home, of: $0) }
        return services.map { finding($0, othersRun: othersRun) }
    }

    private func finding(_ service: ServiceName, othersRun: Bool) -> DoctorFinding {
        guard HomeLock.isHeld(home, of: service) else {
            guard !othersRun else {
                return .warning(
                    service.executable,
                    "not running while others are; what it has to read waits for it. Start it, by \"nkul up\" or alone."
                )
            }
            let left = FileManager.default.fileExists(atPath: home.recordFile(of: service))
            return .sound(
                service.executable, left ? "not running; it was killed last time, which does no harm." : "not running.")
        }
        guard let record = ServiceRecord.ofRunning(service, in: home),
            let address = record.listeners["admin"].flatMap({ HostPort($0) })
        else { return .warning(service.executable, "starting: it holds its lock and listens nowhere yet.") }
        guard record.version == Version.text else {
            return .warning(
                service.executable, "runs version \(record.version), this is \(Version.text): upgrade readers first.")
        }
        return readiness(service, record, AdminProbe(address: address).get("/readyz"))
    }

    private func readiness(_ service: ServiceName, _ record: ServiceRecord, _ answer: AdminProbe.Answer?)
        -> DoctorFinding
    {
        let who = "process \(record.pid)"
        guard let answer else {
            return .problem(service.executable, "\(who) does not answer on \(record.listeners["admin"] ?? "").")
        }
        guard answer.status != 200 else {
            return .sound(service.executable, "\(who) is ready\(Self.notes(in: answer.body)).")
        }
        return .problem(service.executable, "\(who) is not ready: \(Self.problems(in: answer.body)).")
    }

    static func problems(in body: String) -> String {
        guard let ready = Ready(body) else { return "no reason given" }
        return ready.conditions.compactMap { condition in condition.problem.map { "\(condition.name): \($0)" } }
            .joined(separator: "; ")
    }

    /// What a service that is ready has to say besides: ` (lane batch: its writer is silent)`, or nothing.
    static func notes(in body: String) -> String {
        let notes = Ready(body)?.conditions.compactMap(\.note) ?? []
        return notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    }

    /// The body of `/readyz`, as far as it is shown.
    private struct Ready: Decodable {
        struct Condition: Decodable {
            let name: String
            let problem: String?
            let note: String?
        }
        let conditions: [Condition]

        init?(_ body: String) {
            guard let ready = try? JSONDecoder().decode(Ready.self, from: Data(body.utf8)) else { return nil }
            self = ready
        }
    }
}
