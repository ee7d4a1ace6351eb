internal import Foundation
package import Lanes
internal import Synchronization

/// How full ingest is: the fullest of its queue, its journals and its disk, in thousandths.
///
/// Set by the commit thread once a second, read for each answer of an upload. Rises at once, falls by an eighth a second,
/// so that phones are not told another period with every breath.
package final class LoadGauge: Sendable {
    /// A disk with so much free space is half full as far as phones are concerned.
    static let roomyDisk = 1 << 30

    private let current = Atomic(0)
    private let largestCommit = Atomic(0)
    private let queueRows: Int
    private let directory: String

    /// - Parameters:
    ///   - queueRows: rows that may wait for a commit.
    ///   - directory: on the disk of the journals.
    package init(queueRows: Int, directory: String) {
        self.queueRows = queueRows
        self.directory = directory
    }

    /// 0…1 000; 1 000: something is full.
    var load: Int { current.load(ordering: .relaxed) }

    /// Notes how many rows had been waiting for a commit.
    package func took(rows: Int) {
        if rows > largestCommit.load(ordering: .relaxed) { largestCommit.store(rows, ordering: .relaxed) }
    }

    /// Looks around; once a second, on the commit thread.
    package func look(_ journals: [JournalFigures]) {
        let queue = largestCommit.exchange(0, ordering: .relaxed) * 1_000 / max(1, queueRows)
        let lanes = journals.map { $0.isFull ? 1_000 : $0.bytes * 1_000 / max(1, $0.limitBytes) }
        set(max(queue, lanes.max() ?? 0, disk))
    }

    /// A commit found no space.
    package func diskIsFull() { set(1_000) }

    private var disk: Int {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        guard let free = attributes?[.systemFreeSize] as? Int else { return 0 }
        return max(0, 1_000 - min(free, 2 * Self.roomyDisk) / (Self.roomyDisk / 500))
    }

    private func set(_ load: Int) {
        current.store(max(min(load, 1_000), self.load * 7 / 8), ordering: .relaxed)
    }
}
