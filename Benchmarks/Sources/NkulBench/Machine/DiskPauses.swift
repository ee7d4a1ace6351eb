import Foundation
import Glibc

/// When the disk stood still: 4 KB of a file of its own, written over and carried to the disk, took longer than a disk that
/// works ever needs, however much the services write. Where a machine's disk pauses without them, this tells when.
final class DiskPauses {
    /// Nanoseconds: beside two writers of 30 MB/s each, 99 of 100 such writes took less than 4 ms.
    private static let long: UInt64 = 30_000_000
    private let file: Int32
    private let page = [UInt8](repeating: 0x5a, count: 4_096)

    init(directory: String) throws {
        let path = directory + "/bench-disk"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0, write() else { throw BenchError("\(path): errno \(errno)") }
    }

    deinit { close(file) }

    /// The write of this look, if it took long.
    func look() -> ClosedRange<UInt64>? {
        let began = Monotonic.nanoseconds()
        guard write() else { return nil }
        let now = Monotonic.nanoseconds()
        return now - began > Self.long ? began...now : nil
    }

    private func write() -> Bool { pwrite(file, page, page.count, 0) == page.count && fdatasync(file) == 0 }
}
