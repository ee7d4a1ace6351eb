internal import Foundation

/// A directory of its own for one test, removed with the value.
///
/// Its path is short (an ipc socket below it has to fit into 107 bytes) and it lies in memory where the system has
/// such a place and `inMemory` is asked for.
public final class TemporaryDirectory: Sendable {
    /// The directory's absolute path.
    public let path: String

    /// Creates the directory with mode 0700.
    ///
    /// - Parameter inMemory: use `/dev/shm` if it can be written, so that an fsync costs nothing.
    /// - Throws: `CocoaError` if the directory cannot be created.
    public init(inMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let wanted = inMemory && FileManager.default.isWritableFile(atPath: memory)
        let parent = wanted ? memory : FileManager.default.temporaryDirectory.path
        path = parent + "/nkul-" + String(UInt64.random(in: 0 ... .max), radix: 36)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something below the directory.
    public func path(_ name: String) -> String {
        path + "/" + name
    }
}
