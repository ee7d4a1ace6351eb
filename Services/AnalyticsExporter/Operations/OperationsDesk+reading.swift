internal import GRDB
internal import Models

extension OperationsDesk {
    /// Reads in the order of changes: sees all that were submitted before.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await submit { db, _ in (try body(db), []) }
    }

    /// Waits until the router has announced a tenant's endpoint.
    ///
    /// - Returns: nil if it has not within the time.
    func endpoint(of tenant: String, within time: Duration) async -> EndpointDocument? {
        // Listening begins before the first look, so that no announcement falls between the two.
        let wakeUps = announcements.wakeUps()
        return await withTaskGroup(of: EndpointDocument?.self) { group in
            group.addTask { [directory] in
                if let known = directory.endpoint(of: tenant) { return known }
                for await _ in wakeUps {
                    if let known = directory.endpoint(of: tenant) { return known }
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: time)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
