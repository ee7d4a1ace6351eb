import Foundation
import Glibc

/// A real process of one of the package's programs: started, killed, waited for.
///
/// Confined to one thread. What is still alive when the value goes is killed.
public final class ServiceProcess {
    /// The program's name, such as `nkul-ingest`.
    public let name: String
    /// File that holds what the process wrote to stdout and stderr, runs one after another.
    public let log: String
    /// The process, or 0 when it is not alive.
    public private(set) var identifier: Int32 = 0
    private let arguments: [String]
    private let environment: [String: String]

    /// - Parameters:
    ///   - environment: added to what the test itself was given, without its `NKUL_` variables.
    ///   - log: file for the output; it is appended to.
    public init(_ name: String, _ arguments: [String] = [], environment: [String: String], log: String) {
        self.name = name
        self.arguments = arguments
        self.log = log
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("NKUL_") }
        self.environment = inherited.merging(environment) { _, added in added }
    }

    deinit {
        kill()
    }

    /// Directory of the programs: where the running test bundle was built.
    public static var programs: String {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
    }

    /// Starts the process.
    ///
    /// - Throws: `ExchangeError.system` with the reason, such as `ENOENT` if the program was not built.
    public func start() throws {
        precondition(identifier == 0, "\(name) runs already")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let path = Self.programs + "/" + name
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        let failure = posix_spawn(&identifier, path, &actions, nil, &argv, &envp)
        guard failure == 0 else {
            identifier = 0
            throw ExchangeError.system(failure)
        }
    }

    /// Ends the process at once, as `kill -9` does, and waits until it is gone.
    public func kill() {
        guard identifier != 0 else { return }
        Glibc.kill(identifier, SIGKILL)
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        identifier = 0
    }

    /// Asks the process to stop (SIGTERM).
    public func askToStop() {
        if identifier != 0 { Glibc.kill(identifier, SIGTERM) }
    }

    /// Asks the process to stop as Ctrl-C does (SIGINT).
    public func interrupt() {
        if identifier != 0 { Glibc.kill(identifier, SIGINT) }
    }

    /// Has the process stand still (SIGSTOP) until it goes on or is killed.
    public func pause() {
        if identifier != 0 { Glibc.kill(identifier, SIGSTOP) }
    }

    /// Lets the process go on that stands still (SIGCONT).
    public func goOn() {
        if identifier != 0 { Glibc.kill(identifier, SIGCONT) }
    }

    /// Waits for the process to end by itself.
    ///
    /// - Returns: its exit code, 128 + signal if a signal ended it, nil if it is still alive after `seconds`.
    public func exitCode(within seconds: Double) -> Int32? {
        let deadline = Date().addingTimeInterval(seconds)
        while identifier != 0 {
            var status: Int32 = 0
            if waitpid(identifier, &status, WNOHANG) == identifier {
                identifier = 0
                return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
            if Date() > deadline { return nil }
            usleep(5000)
        }
        return nil
    }

    /// What the process wrote so far.
    public var output: String {
        (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    }
}
