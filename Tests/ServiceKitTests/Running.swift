import Foundation
import FoundationNetworking
import Logging
import ServiceKit
import ServiceLifecycle
import Testing

/// Runs a server while `body` does something with its address, then stops it as SIGTERM would.
func whileRunning(
    _ server: some Service, _ host: ServiceHost, _ body: @escaping @Sendable (_ address: String) async throws -> Void
) async throws {
    let group = ServiceGroup(configuration: .init(services: [server], logger: Log.logger("test", level: "critical")))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        tasks.addTask {
            var address = host.listeners.address(of: "admin")
            while address == nil {
                try Task.checkCancellation()
                await Task.yield()
                address = host.listeners.address(of: "admin")
            }
            try await body(address!)
            await group.triggerGracefulShutdown()
        }
        do {
            try await tasks.waitForAll()
        } catch {
            tasks.cancelAll()
            throw error
        }
    }
}

/// An answer of the admin endpoint.
struct Answer {
    let status: Int
    let text: String

    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:] }
}

func get(_ address: String, _ path: String) async throws -> Answer {
    let url = try #require(URL(string: "http://\(address)\(path)"))
    let (data, response) = try await URLSession.shared.data(from: url)
    return Answer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, text: String(decoding: data, as: UTF8.self))
}
