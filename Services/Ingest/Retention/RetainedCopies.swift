internal import Lanes
internal import Logging
internal import ServiceKit
internal import SubjectRights
internal import Synchronization

/// Orders that the copies have executed, on their way to the thread that reports for all of ingest. What does not come through
/// is told again with the next step. From any thread.
final class RetainedCopies: Sendable {
    private let commits: WriterRequests<IngestEngine>
    private let host: ServiceHost
    private let waiting: Mutex<[RetentionOutcome]>

    init(_ commits: WriterRequests<IngestEngine>, _ host: ServiceHost, _ outcomes: [RetentionOutcome]) {
        self.commits = commits
        self.host = host
        waiting = Mutex(outcomes)
    }

    func add(_ outcomes: [RetentionOutcome]) {
        waiting.withLock { $0 += outcomes }
        tell()
    }

    /// Hands over what waits; returns at once.
    func tell() {
        let outcomes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !outcomes.isEmpty else { return }
        Task {
            do { try await commits.perform { try $0.retain(outcomes) } } catch {
                waiting.withLock { $0 = outcomes + $0 }
                host.logger.warning("a retention order waits for the commit thread", metadata: ["error": "\(error)"])
            }
        }
    }
}
