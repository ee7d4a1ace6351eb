package import ArgumentParser
import CommandSupport
import Foundation
import ServiceKit
import UnixSignals

/// `nkul up`: starts the services on this machine and keeps them running.
package struct UpCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "up", abstract: "Starts the services on this machine and keeps them running until Ctrl-C.",
        discussion: """
            Says "ready" with the URLs once all services are. A service that dies is started again; their logs come on \
            stderr with the service's name in front. NKUL_SERVICES says which to start (default: all there are). The \
            programs are looked for beside nkul itself. All settings: "nkul-ingest --help" and that of the others.
            """)

    @OptionGroup var options: CommandSettings

    @Flag(name: .long, help: "One line of JSON when ready: {ready, device_api, mno_api, dashboard, pids}.")
    var json = false

    package init() {}

    package func run() async throws {
        let settings = try await options.load()
        let common = try CommonConfiguration(settings)
        let services = try UpSettings(settings).services
        try settings.refuseUnknownKeys(of: nil)
        try Self.refuseSecond(services, in: common.home, isSecure: common.tls != nil)
        let directory = try Self.directory(with: services)
        let supervisor = UpSupervisor(
            services: services, home: common.home, directory: directory, arguments: arguments,
            environment: environment(common.home), announce: Self.announcer(json: json, isSecure: common.tls != nil),
            say: UpLog(format: common.logFormat).say)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let listener = Task {
            for await _ in signals { supervisor.stop() }
        }
        let code = await supervisor.run()
        listener.cancel()
        if code != 0 { throw ExitCode(code) }
    }

    /// Refuses to start services that run already, and says where their page is.
    ///
    /// - Throws: `ServiceError` of code `home`.
    static func refuseSecond(_ services: [ServiceName], in home: Home, isSecure: Bool) throws {
        let running = services.filter { HomeLock.isHeld(home, of: $0) }
        guard !running.isEmpty else { return }
        let clear = UpAnnouncement(home: home, records: ServiceName.allCases.compactMap { .ofRunning($0, in: home) })
        let page = (isSecure ? clear.behindTLS : clear).dashboard
        let who = running.map { "\($0.executable)\(HomeLock.owner(home, of: $0).map { " (process \($0))" } ?? "")" }
        throw ServiceError(
            .home,
            "\(home.path) is in use: \(who.joined(separator: ", ")) run\(running.count == 1 ? "s" : "") already"
                + (page.map { "; the page is at \($0), its token in \(clear.token_file)" } ?? "")
                + ". End it there with Ctrl-C, or give another home with --home")
    }

    private var arguments: [String] {
        ["--until-stdin-closes"] + (options.config.map { ["--config", $0] } ?? [])
    }

    private func environment(_ home: Home) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(["NKUL_HOME": home.path]) { $1 }
    }

    private static func announcer(json: Bool, isSecure: Bool) -> @Sendable (UpAnnouncement) -> Void {
        { clear in
            let announcement = isSecure ? clear.behindTLS : clear
            print(json ? announcement.json : announcement.text)
            fflush(nil)
        }
    }

    /// Where this program is, and the services' with it.
    private static func directory(with services: [ServiceName]) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let directory = URL(fileURLWithPath: own).deletingLastPathComponent().path
        for service in services
        where !FileManager.default.isExecutableFile(atPath: "\(directory)/\(service.executable)") {
            throw ServiceError(.failed, "\(directory)/\(service.executable) is missing; build it: swift build")
        }
        return directory
    }
}
