internal import Foundation
internal import Storage

/// How whole days go.
extension RawRowFiles {
    /// Unlinks a day's file and those beside it; they are gone from the disk when it returns. Downloads that are at it end it
    /// where they are. A day without a file changes nothing.
    ///
    /// - Throws: `StorageError` naming the file.
    func retire(_ day: String) throws {
        // Whoever reads asks the index whether a day is there before it says that its file cannot be opened.
        index.remove(day)
        try closeFile(of: day)
        guard directory != Self.inMemory else { return }
        try ServiceDatabase.removeFiles(at: Self.path(of: day, in: directory))
    }

    /// Bytes of a day's file.
    func bytes(of day: String) -> Int {
        guard directory != Self.inMemory else { return 0 }
        let attributes = try? FileManager.default.attributesOfItem(atPath: Self.path(of: day, in: directory))
        return attributes?[.size] as? Int ?? 0
    }
}
