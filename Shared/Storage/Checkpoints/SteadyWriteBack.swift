internal import Foundation

/// Carries what a long commit writes to the disk while it goes on, instead of all of it at its end.
///
/// The fsync of 128 MB keeps a disk busy for 60 ms, and whoever commits a few pages on the same disk meanwhile waits for up
/// to 44 ms of it; carried over as they come, the same pages take no longer and others wait for 6 ms at most.
///
/// From any thread. One thread of the process does it for all its databases, and sleeps between commits.
final class SteadyWriteBack: @unchecked Sendable {  // every field is read and written under `condition`
    static let shared = SteadyWriteBack()

    private let condition = NSCondition()
    private var underWay: [DatabaseFile] = []
    /// Files that are carried to the disk once.
    private var once: [DatabaseFile] = []
    /// Whether the thread holds files that were under way.
    private var isWriting = false

    private init() {
        WorkThread.start("write-back", niceness: 0) { [self] in
            while true { for file in next() { file.writeBack() } }
        }
    }

    /// Paths of the files under way.
    var paths: [String] {
        condition.lock()
        defer { condition.unlock() }
        return underWay.map(\.path)
    }

    /// A commit that writes these files begins; to be followed by ``end(_:)``.
    func begin(_ files: [DatabaseFile]) {
        condition.lock()
        underWay += files
        condition.broadcast()
        condition.unlock()
    }

    func end(_ files: [DatabaseFile]) {
        condition.lock()
        underWay.removeAll { file in files.contains { $0 === file } }
        condition.unlock()
    }

    /// Has what was written to a file by now carried to the disk.
    func carry(_ file: DatabaseFile) {
        condition.lock()
        if !once.contains(where: { $0 === file }) { once.append(file) }
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until files that have ended are not held here either: then their owner alone decides when they are closed.
    func letGo() {
        condition.lock()
        defer { condition.unlock() }
        while isWriting || !once.isEmpty { condition.wait() }
    }

    /// The files under way, after a pause in which some pages come together.
    private func next() -> [DatabaseFile] {
        condition.lock()
        defer { condition.unlock() }
        isWriting = false
        condition.broadcast()
        while underWay.isEmpty, once.isEmpty { condition.wait() }
        if once.isEmpty { _ = condition.wait(until: Date(timeIntervalSinceNow: Self.pause)) }
        let files = underWay + once
        once = []
        isWriting = !files.isEmpty
        return files
    }

    private static let pause: TimeInterval = 0.001
}
