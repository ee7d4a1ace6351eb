import Foundation
import Logging
package import ServiceLifecycle
import UnixSignals

/// The main program of every service: arguments, settings, home, build, run, and one clear line if any of them fails.
///
/// Exit codes: 0 stopped as asked, 1 failed, 2 wrong usage or settings.
public struct ServiceMain<Configuration: ServiceConfiguration>: Sendable {
    /// Makes the service; opens and binds what can be refused, so that errors come before anything runs.
    package typealias Build = @Sendable (Configuration, ServiceHost) async throws -> any Service

    let service: ServiceName
    let summary: String
    let actions: [ServiceAction<Configuration>]
    let build: Build
    /// After it a program that is to stop ends as it is. Tests, whose process is not this service's alone, take longer.
    var limit = ServiceRunner.limit

    /// - Parameter summary: one sentence for `--help`.
    package init(
        _ service: ServiceName, _ type: Configuration.Type = Configuration.self, summary: String,
        actions: [ServiceAction<Configuration>] = [], build: @escaping Build
    ) {
        self.service = service
        self.summary = summary
        self.actions = actions
        self.build = build
    }

    /// Runs the program and ends the process.
    public func run() async -> Never {
        signal(SIGPIPE, SIG_IGN)
        // Databases and sockets are made by libraries, with every right that the environment leaves to others.
        umask(0o077)
        OpenFiles.allowMany()
        let environment = ProcessInfo.processInfo.environment
        var config: String?
        do {
            let arguments = try ServiceArguments(
                Array(CommandLine.arguments.dropFirst()), actions: actions.map(\.flag))
            config = arguments.config
            try await perform(arguments, environment: environment)
            exit(0)
        } catch {
            complain(error, in: await Self.logFormat(environment, config))
            exit((error as? ServiceError)?.exitCode ?? 1)
        }
    }

    func perform(_ arguments: ServiceArguments, environment: [String: String]) async throws {
        if arguments.help {
            return print(
                try ServiceHelp.text(service, summary, actions.map { ($0.flag, $0.summary) }, Configuration.self))
        }
        if arguments.version { return print("\(service.executable) \(Version.text)") }
        let settings = try await Settings.load(environment: environment, file: arguments.config)
        let configuration = try Configuration(settings)
        try settings.refuseUnknownKeys(of: service)
        if let action = actions.first(where: { $0.flag == arguments.action }) {
            try await act(action, configuration)
        } else {
            if arguments.untilStdinCloses { StandardInput.stopProcessAtEnd() }
            try await serve(configuration)
        }
    }

    private func act(_ action: ServiceAction<Configuration>, _ configuration: Configuration) async throws {
        let common = configuration.common
        try common.home.prepare(for: service, timeZone: common.timeZone)
        let lock = action.claim == .exclusive ? try HomeLock(common.home, of: service) : nil
        try await action.perform(configuration, try host(common))
        withExtendedLifetime(lock) {}
    }

    private func serve(_ configuration: Configuration) async throws {
        let common = configuration.common
        try common.home.prepare(for: service, timeZone: common.timeZone)
        let lock = try HomeLock(common.home, of: service)
        let host = try host(common)
        host.listeners.withdraw()
        defer { host.listeners.withdraw() }
        let built = try await build(configuration, host)
        let admin = AdminServer(at: common.admin[service]!, host: host)
        let control = try ControlServer(host, calls: host.control.all)
        try await ServiceRunner(host: host, limit: limit).run([admin, built, control])
        withExtendedLifetime(lock) {}
    }

    private func host(_ common: CommonConfiguration) throws -> ServiceHost {
        ServiceHost(
            service, home: common.home,
            logger: Log.logger(service.rawValue, level: common.logLevel, format: common.logFormat),
            recording: common.clock == .recording ? try RecordingClock(in: common.home) : nil)
    }

    /// What the settings say of the log, as far as they can be read: it may be they that are at fault.
    static func logFormat(_ environment: [String: String], _ config: String?) async -> LogFormat {
        let settings =
            (try? await Settings.load(environment: environment, file: config)) ?? Settings(environment: environment)
        return (try? settings.value(.logFormat)) ?? .text
    }

    private func complain(_ error: any Error, in format: LogFormat) {
        let text = complaint(error, in: format) + "\n"
        let line = Array(text.utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// The line that a program ends with if it fails.
    func complaint(_ error: any Error, in format: LogFormat) -> String {
        switch format {
        case .text: "\(service.executable): \(error)"
        case .json: LogLine.now(service.rawValue, "\(error)", isError: true).text(.json)
        }
    }
}
