import Foundation

/// A directory of a test's own, removed with the value.
final class ScratchFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/nkul-command-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) -> String {
        _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(bytes))
        return "\(path)/\(name)"
    }

    @discardableResult
    func write(_ name: String, _ text: String) -> String { write(name, Array(text.utf8)) }

    func bytes(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: "\(path)/\(name)").map { [UInt8]($0) } ?? []
    }
}
