package import ServiceKit

/// Clients of the services of a home, each on its control socket: what `nkul admin` asks with.
package struct ControlClients: Sendable {
    let home: Home
    /// Those that live there.
    package let services: [ServiceName]

    package init(home: Home, services: [ServiceName] = ServiceName.built) {
        self.home = home
        self.services = services
    }

    /// Makes a call.
    ///
    /// - Throws: `ControlError`, which names the service if it is down.
    package func ask(
        _ service: ServiceName, _ call: String, _ arguments: JSONValue = [:], timeout: Duration = .seconds(10)
    ) async throws -> JSONValue {
        try await ControlClient(home, service).call(call, arguments, timeout: timeout)
    }

    /// Makes a call to each of several services at once.
    package func ask(
        all services: [ServiceName], _ call: String, _ arguments: JSONValue = [:]
    ) async throws -> [(service: ServiceName, answer: Result<JSONValue, ControlError>)] {
        try await withThrowingTaskGroup(of: (ServiceName, Result<JSONValue, ControlError>).self) { group in
            for service in services {
                group.addTask {
                    do {
                        return (service, .success(try await ask(service, call, arguments)))
                    } catch let error as ControlError {
                        return (service, .failure(error))
                    }
                }
            }
            var answers: [ServiceName: Result<JSONValue, ControlError>] = [:]
            for try await (service, answer) in group { answers[service] = answer }
            return services.compactMap { service in answers[service].map { (service, $0) } }
        }
    }
}
