internal import IngestCommit
internal import Lanes
internal import Logging
internal import ServiceKit
internal import Synchronization

/// What the copies have done of the rights of subjects, on its way to the thread that signs and reports for all of ingest: erased
/// requests, executed retention orders. What does not come through (its queue is full, the disk is) is told again with the next
/// step. From any thread.
final class CopiesDone<Item: Sendable>: Sendable {
    private let commits: WriterRequests<IngestEngine>
    private let host: ServiceHost
    private let hear: @Sendable (IngestEngine, [Item]) throws -> Void
    private let waiting: Mutex<[Item]>

    /// - Parameters:
    ///   - items: which the commit thread may not have heard of before the last end.
    ///   - hear: on the commit thread; told again, an item changes nothing.
    init(
        _ commits: WriterRequests<IngestEngine>, _ host: ServiceHost, _ items: [Item],
        hear: @escaping @Sendable (IngestEngine, [Item]) throws -> Void
    ) {
        self.commits = commits
        self.host = host
        self.hear = hear
        waiting = Mutex(items)
    }

    func add(_ items: [Item]) {
        waiting.withLock { $0 += items }
        tell()
    }

    /// Hands over what waits; returns at once.
    func tell() {
        let items = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !items.isEmpty else { return }
        Task {
            do { try await commits.perform { [hear] in try hear($0, items) } } catch {
                waiting.withLock { $0 = items + $0 }
                host.logger.warning(
                    "what the copies have done waits for the commit thread",
                    metadata: ["what": "\(Item.self)", "error": "\(error)"])
            }
        }
    }
}
