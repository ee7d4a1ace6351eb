/// A backup as a file, byte by byte:
///
///     "nkul-backup 1\n" 14 │ encapsulated key 65 │ chunk │ chunk │ … │ chunk
///     chunk       = length of what follows 4, big-endian │ sealed bytes (`SealingStream`)
///     clear bytes = 0 │ bytes as they are           what is in the chunk,
///                 | 1 │ zlib stream of the bytes    compressed where that makes it shorter
///
/// The first chunk is the manifest (``BackupManifest``, JSON), then come the files in its order, each cut into pieces of 1 MB of
/// which the last is shorter; an empty file has none. The number of each chunk and whether it is the last one are sealed with it:
/// whatever is changed, cut off, added or moved does not open.
enum BackupArchive {
    static let magic = Array("nkul-backup 1\n".utf8)
    /// What chunks are sealed for.
    static let purpose = "nkul backup 1"
    /// Bytes of a file in a chunk, at most.
    static let pieceBytes = 1 << 20
    /// Bytes of a manifest, at most.
    static let manifestBytes = 16 << 20
}

/// Why something is no backup that can be used.
struct BackupError: Error, Equatable, CustomStringConvertible {
    let path: String
    /// One sentence, without a final full stop.
    let message: String

    init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    var description: String { "\(path): \(message)" }
}
