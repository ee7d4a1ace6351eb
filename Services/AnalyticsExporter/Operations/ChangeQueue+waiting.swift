internal import Dispatch
internal import ExporterSupport
package import GRDB
package import Models
internal import Synchronization

extension ChangeQueue {
    /// Has a change made in the next transaction and waits for its commit on the caller's thread, which must be one's own.
    ///
    /// - Throws: as ``submit(_:)``.
    package func submitWaiting<Value: Sendable>(
        _ change: @escaping @Sendable (Database, UnixMilliseconds) throws -> (Value, [OperationRecord])
    ) throws -> Value {
        let isAnswered = DispatchSemaphore(value: 0)
        let answer = Mutex<Result<Value, any Error>?>(nil)
        let give: @Sendable (Result<Value, any Error>) -> Void = { result in
            answer.withLock { $0 = result }
            isAnswered.signal()
        }
        let job = ChangeJob(
            perform: { db, now in
                let (value, records) = try change(db, now)
                return ChangeJob.Done(records: records) { give(.success(value)) }
            }, fail: { give(.failure($0)) })
        do { try enqueue(job)() } catch { job.fail(error) }
        isAnswered.wait()
        return try answer.withLock { $0! }.get()
    }
}

extension ChangeQueue {
    /// Reads in the order of changes: sees all that were submitted before.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await submit { db, _ in (try body(db), []) }
    }

    /// Waits until the router has announced a tenant's endpoint.
    ///
    /// - Returns: nil if it has not within the time.
    package func endpoint(of tenant: String, within time: Duration) async -> EndpointDocument? {
        // Listening begins before the first look, so that no announcement falls between the two.
        let wakeUps = announcements.listen()
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
