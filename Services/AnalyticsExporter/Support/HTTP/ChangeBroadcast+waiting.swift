extension ChangeBroadcast {
    /// What a look finds at once or after a ring, within a time; nil if that is over, or nothing rings any more.
    package func first<Value: Sendable>(
        within time: Duration, _ look: @escaping @Sendable () async throws -> Value?
    ) async throws -> Value? {
        // Listening begins before the first look, so that no ring falls between the two.
        let wakeUps = listen()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                if let found = try await look() { return found }
                for await _ in wakeUps {
                    if let found = try await look() { return found }
                }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: time)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
