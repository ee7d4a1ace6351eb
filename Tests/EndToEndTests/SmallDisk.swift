import Foundation
import PipelineTesting
import TemporaryFiles

/// A file system of a few megabytes in memory; only root may have one.
final class SmallDisk {
    let path: String

    /// True if this machine lets the test mount one.
    static let isPossible: Bool = {
        guard let home = try? TemporaryDirectory(), let disk = try? SmallDisk(home.path("probe"), megabytes: 1) else {
            return false
        }
        disk.remove()
        return true
    }()

    init(_ path: String, megabytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard
            try SystemProgram.run(
                "/bin/mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "nkul-test", path])
        else {
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    /// Leaves no room.
    func fill() {
        let file = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        for size in [1 << 20, 4_096, 1] {
            let bytes = [UInt8](repeating: 1, count: size)
            while write(file, bytes, size) > 0 {}
        }
    }

    func empty() { unlink(path + "/filler") }

    func remove() { _ = try? SystemProgram.run("/bin/umount", ["--lazy", path]) }
}
