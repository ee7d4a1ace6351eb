import Foundation

/// A directory that goes when the object does.
final class TemporaryDirectory {
    let path: String

    init() throws {
        let template = FileManager.default.temporaryDirectory.path + "/nkul-lanes-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: template, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = template
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}
