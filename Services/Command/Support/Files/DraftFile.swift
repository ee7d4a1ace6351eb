import Foundation
import ServiceKit

/// A file that appears under its name when it is complete and on disk, never before.
///
/// Until then it is `path.<pid>.part` beside it, which goes with the value unless it was published. Confined to one thread.
package final class DraftFile {
    package let path: String
    private let draft: String
    private let isReplacing: Bool
    private let mode: mode_t
    private var file: Int32

    /// - Parameter isReplacing: whether it may take the place of a file that is there already.
    /// - Throws: `ServiceError` naming the file, as do the other calls.
    package init(_ path: String, mode: UInt32 = 0o644, isReplacing: Bool) throws {
        self.path = path
        self.mode = mode
        self.isReplacing = isReplacing
        draft = "\(path).\(getpid()).part"
        guard isReplacing || access(path, F_OK) != 0 else { throw ServiceError(.failed, "\(path) is there already") }
        file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw ServiceError(.failed, "cannot write \(draft)", errno: errno) }
    }

    deinit {
        guard file >= 0 else { return }
        close(file)
        unlink(draft)
    }

    package func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Has it on disk, still under the draft's name.
    package func sync() throws {
        guard fsync(file) == 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
    }

    /// Gives it its name; nothing can be written after that.
    package func publish() throws {
        if !isReplacing { try claim() }
        guard rename(draft, path) == 0 else {
            let cause = errno
            if !isReplacing { unlink(path) }
            throw ServiceError(.failed, "cannot write \(path)", errno: cause)
        }
        close(file)
        file = -1
    }

    /// Takes the name for the draft, so that a file that came meanwhile is not replaced.
    private func claim() throws {
        let claimed = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard claimed >= 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
        close(claimed)
    }
}
