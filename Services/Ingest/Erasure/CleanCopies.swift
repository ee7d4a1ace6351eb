internal import Lanes
internal import Logging
internal import ServiceKit
internal import Synchronization

/// Requests of which nothing is left in the copies, on their way to the thread that signs for all of ingest. What does not
/// come through (its queue is full, the disk is) is told again with the next step. From any thread.
final class CleanCopies: Sendable {
    private let commits: WriterRequests<IngestEngine>
    private let host: ServiceHost
    private let waiting: Mutex<[String]>

    init(_ commits: WriterRequests<IngestEngine>, _ host: ServiceHost, _ requests: [String]) {
        self.commits = commits
        self.host = host
        waiting = Mutex(requests)
    }

    func add(_ requests: [String]) {
        waiting.withLock { $0 += requests }
        tell()
    }

    /// Hands over what waits; returns at once.
    func tell() {
        let requests = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !requests.isEmpty else { return }
        Task {
            do { try await commits.perform { try $0.copiesAreClean(of: requests) } } catch {
                waiting.withLock { $0 += requests }
                host.logger.warning("an erasure waits for the commit thread", metadata: ["error": "\(error)"])
            }
        }
    }
}
