/// Reads a backup to its end and writes nothing.
enum BackupCheck {
    /// - Returns: its manifest; every byte of the file is what was written with it.
    /// - Throws: ``BackupError``, `Interrupt.Raised`.
    static func run(_ file: String, identity: [UInt8], _ interrupt: Interrupt) throws -> BackupManifest {
        let reader = try BackupReader(path: file, identity: identity)
        var progress = ByteProgress("reading", total: reader.manifest.bytes)
        defer { progress.end() }
        try reader.forEachPiece { _, piece, _ in
            progress.add(piece.count)
            try interrupt.check()
        }
        return reader.manifest
    }
}
