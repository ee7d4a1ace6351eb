/// Where a service's control socket is: `ipc://<home>/run/<service>.control`.
struct ControlAddress: Sendable {
    /// What `sockaddr_un` holds less its final zero.
    static let longestPath = 107

    let path: String
    var endpoint: String { "ipc://\(path)" }

    /// - Throws: ``ServiceError`` of code `usage` if the path is longer than the system allows.
    init(_ home: Home, _ service: ServiceName) throws {
        path = home.controlSocket(of: service)
        guard path.utf8.count <= Self.longestPath else {
            throw ServiceError(
                .usage,
                "NKUL_HOME: the socket path \(path) has \(path.utf8.count) bytes, more than the \(Self.longestPath) that"
                    + " the system allows; choose a shorter NKUL_HOME")
        }
    }
}

extension Home {
    /// `<home>/run/<service>.control`: where the running service takes ``ControlRequest``s.
    package func controlSocket(of service: ServiceName) -> String { "\(run)/\(service.rawValue).control" }
}
