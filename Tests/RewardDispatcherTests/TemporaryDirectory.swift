import Foundation

/// A directory that is gone when the test is over; short enough for socket paths.
struct TemporaryDirectory: ~Copyable {
    let path: String

    init() throws {
        path = "/tmp/nkul-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
