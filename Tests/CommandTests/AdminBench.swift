import ArgumentParser
import CommandSupport
import Foundation
import Logging
import ServiceKit
import ServiceLifecycle
import Synchronization
import Testing

@testable import Administration
@testable import Command

/// Control servers of some services in a home, in this process, and `nkul admin` asking them.
struct AdminBench: Sendable {
    let folder = ScratchFolder()
    let home: Home
    let control: ControlClients
    let asked = Asked()

    /// What the services were asked, in order.
    final class Asked: Sendable {
        private let calls = Mutex<[(name: String, arguments: JSONValue)]>([])

        var all: [(name: String, arguments: JSONValue)] { calls.withLock { $0 } }

        func note(_ name: String, _ arguments: JSONValue) { calls.withLock { $0.append((name, arguments)) } }
    }

    init() throws {
        home = Home(path: folder.path + "/home")
        try home.prepare()
        control = ControlClients(home: home)
    }

    /// Runs a server for each service that answers the named calls as given.
    func serving(
        _ services: [ServiceName: [String: @Sendable (JSONValue) async throws -> JSONValue]],
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let hosts = services.keys.map { ServiceHost($0, home: home, logger: Log.logger("test", level: "critical")) }
        let servers = try hosts.map { host in
            try ControlServer(
                host,
                calls: services[host.service]!.map { name, answer in
                    .typed(name, JSONValue.self) { [asked] arguments in
                        asked.note(name, arguments)
                        return try await answer(arguments)
                    }
                })
        }
        let group = ServiceGroup(
            configuration: .init(services: servers, logger: Log.logger("test", level: "critical")))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                while hosts.contains(where: { $0.listeners.address(of: "control") == nil }) {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                try await body()
                await group.triggerGracefulShutdown()
            }
            do {
                while try await tasks.next() != nil {}
            } catch {
                tasks.cancelAll()
                throw error
            }
        }
    }

    /// What `nkul admin …` answers.
    func admin(_ arguments: String...) async throws -> AdminAnswer {
        let command = try NkulCommand.parseAsRoot(["admin"] + arguments)
        guard let action = command as? any AdminAction else { throw CleanExit.message("not an action: \(command)") }
        return try await action.ask(control)
    }

    /// The exit code of `nkul admin …`, run as the program runs it.
    func exitCode(_ arguments: String...) async -> Int32 {
        do {
            var command = try NkulCommand.parseAsRoot(["admin"] + arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            return NkulCommand.report(error)
        }
    }
}

/// Expects what an asynchronous call answered; `#expect` cannot hold a `try` inside the closures of ``AdminBench``.
func check<Value: Equatable>(
    _ value: Value, is expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(value == expected, sourceLocation: sourceLocation)
}
