import Foundation
import TemporaryFiles

extension TemporaryDirectory {
    /// Writes a file and returns its path.
    func file(_ name: String, _ text: String) -> String {
        _ = FileManager.default.createFile(atPath: path(name), contents: Data(text.utf8))
        return path(name)
    }
}
