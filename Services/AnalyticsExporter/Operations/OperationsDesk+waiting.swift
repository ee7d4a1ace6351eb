internal import Dispatch
internal import GRDB
internal import Models
internal import Synchronization

extension OperationsDesk {
    /// Has a change made in the next transaction and waits for its commit on the caller's thread, which must be one's own.
    ///
    /// - Throws: as ``submit(_:)``.
    func submitWaiting<Value: Sendable>(
        _ change: @escaping @Sendable (Database, UnixMilliseconds) throws -> (Value, [OperationRecord])
    ) throws -> Value {
        let isAnswered = DispatchSemaphore(value: 0)
        let answer = Mutex<Result<Value, any Error>?>(nil)
        let give: @Sendable (Result<Value, any Error>) -> Void = { result in
            answer.withLock { $0 = result }
            isAnswered.signal()
        }
        let job = OperationJob(
            perform: { db, now in
                let (value, records) = try change(db, now)
                return OperationJob.Done(records: records) { give(.success(value)) }
            }, fail: { give(.failure($0)) })
        do { try enqueue(job)() } catch { job.fail(error) }
        isAnswered.wait()
        return try answer.withLock { $0! }.get()
    }
}
