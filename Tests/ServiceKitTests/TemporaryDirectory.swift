import Foundation

/// A directory that vanishes with the value.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/nkul-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) }!
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    func file(_ name: String, _ text: String) -> String {
        let file = path + "/" + name
        _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
        return file
    }
}
