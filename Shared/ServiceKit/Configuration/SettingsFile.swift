import Foundation

/// The JSON file of settings: one flat object, its keys named as in the environment.
enum SettingsFile {
    /// The keys that the file has.
    ///
    /// - Throws: ``ServiceError`` of code `usage` naming file and cause.
    static func keys(of path: String) throws -> Set<String> {
        let text: String
        do {
            text = try SmallFile.read(path)
        } catch let error as ServiceError {
            throw ServiceError(.usage, "--config: \(error.message)", errno: error.errno)
        }
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            throw ServiceError(.usage, "--config \(path): not a JSON object of settings")
        }
        return Set(object.keys)
    }
}
