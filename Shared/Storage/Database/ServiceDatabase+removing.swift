internal import Foundation

extension ServiceDatabase {
    /// Unlinks the file of a database that nobody of this process has open, and those beside it; they are gone from the disk
    /// when it returns. Files that are not there change nothing.
    ///
    /// - Throws: `StorageError` naming the file.
    public static func removeFiles(at path: String) throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        // The log goes first: left behind, it would be taken for that of a new file of the same name.
        try FileRemoval.remove([path + "-wal", path + "-shm", path], in: directory)
    }
}
