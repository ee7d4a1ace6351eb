package import ArgumentParser
import CommandSupport
import Foundation
import Lanes
import Models
import ServiceKit

/// `nkul doctor`: checks a home, read-only.
package struct DoctorCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks a home: databases, journals, cursors, versions, clock, retention, permissions, disk.",
        discussion: """
            Reads only, also while the services run. A sentence for each finding; exit code 0 only if the home is sound. In a \
            home of one service, as containers have, it speaks of that one.
            """)

    @OptionGroup var options: CommandSettings

    @Flag(name: .long, help: "One line of JSON: {home, version, sound, findings, lanes}.")
    var json = false

    package init() {}

    package func run() async throws {
        let common = try await options.common()
        let home = common.home
        guard FileManager.default.fileExists(atPath: home.path) else {
            throw ServiceError(.home, "there is no home at \(home.path); set NKUL_HOME or --home")
        }
        let report = Self.examine(
            home, services: common.services, now: SystemTime.unixMilliseconds(), limitBytes: common.journalBytes(of:),
            progress: Self.progress)
        print(json ? report.json : report.text)
        if !report.sound { throw ExitCode(1) }
    }

    /// Everything that is looked at, in the order of the report.
    ///
    /// - Parameters:
    ///   - services: those that live in the home.
    ///   - limitBytes: what the settings allow a lane's journal.
    static func examine(
        _ home: Home, services: [ServiceName] = ServiceName.built, now: Int64,
        limitBytes: @escaping (LaneName) -> Int = { LaneLimits.standard(for: $0).maximumBytes },
        progress: @escaping (String) -> Void = { _ in }
    ) -> DoctorReport {
        let lanes = DoctorLanes(home: home, services: services, now: now, limitBytes: limitBytes).examine()
        let findings =
            DoctorHome(home: home).findings() + DoctorRestore(home: home).findings() + [
                DoctorClock.finding(now: now, newest: lanes.newest)
            ]
            + DoctorDatabases(home: home, progress: progress).findings() + lanes.findings
            + (services.contains(.privacyWorker) ? [DoctorRetention(home: home, now: now).finding()] : [])
            + DoctorServices(home: home, services: services).findings()
        return DoctorReport(home: home, findings: findings, lanes: lanes.lanes)
    }

    private static func progress(_ path: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("checking \(path)\n".utf8))
    }
}

/// Looks whether the clock can be right.
struct DoctorClock {
    /// 2025-01-01T00:00:00Z: no record of Nkul is older.
    static let earliest: UnixMilliseconds = 1_735_689_600_000

    /// - Parameter newest: when the newest block of the home was committed; nil if there is none.
    static func finding(now: UnixMilliseconds, newest: UnixMilliseconds?) -> DoctorFinding {
        let text = SystemTime.text(now)
        guard now >= earliest else { return .problem("clock", "\(text) cannot be right; set the system's clock.") }
        guard let newest, newest > now + 1_000 else { return .sound("clock", "\(text).") }
        return .problem(
            "clock",
            "\(text), but the newest block was committed at \(SystemTime.text(newest)): the clock has gone back"
                + " \((newest - now) / 1_000) s; times and retention go wrong until it is past that. Have it kept by NTP."
        )
    }
}
